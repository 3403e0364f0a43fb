// Owners of the objects, an engine of a level as opponent, and a search that another thread ends, in C++.
#include <chrono>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "komadai.h"

namespace {

void check(KomadaiStatus status) {
    if (status != KOMADAI_STATUS_OK) throw std::runtime_error(komadai_last_error());
}

struct Free {
    void operator()(KomadaiPosition *position) const { komadai_position_free(position); }
    void operator()(KomadaiEngine *engine) const { komadai_engine_free(engine); }
    void operator()(char *text) const { komadai_string_free(text); }
};
using Position = std::unique_ptr<KomadaiPosition, Free>;
using Engine = std::unique_ptr<KomadaiEngine, Free>;
using Text = std::unique_ptr<char, Free>;

Position position_of(const char *text) {
    KomadaiPosition *made = nullptr;
    check(komadai_position_new(text, &made));
    return Position(made);
}

std::string usi(uint16_t move) {
    char *text = nullptr;
    check(komadai_move_usi(move, &text));
    return Text(text).get();
}

}  // namespace

int main() try {
    Position position = position_of(nullptr);
    KomadaiEngine *made = nullptr;
    check(komadai_engine_new(nullptr, &made));
    Engine engine(made);

    check(komadai_engine_set(engine.get(), "SkillLevel", "3"));
    for (int ply = 0; ply < 6; ply++) {
        KomadaiChoice choice;
        const KomadaiLimit limit = {2000, 0, 0};
        check(komadai_engine_search(engine.get(), position.get(), limit, false, nullptr, nullptr, &choice));
        if (choice.kind != KOMADAI_CHOICE_KIND_MOVE) break;
        std::cout << usi(choice.best) << ' ';
        check(komadai_position_push(position.get(), choice.best));
    }
    std::cout << '\n';

    check(komadai_engine_set(engine.get(), "SkillLevel", "0"));
    std::thread other([&engine] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        komadai_engine_stop(engine.get());
    });
    KomadaiChoice choice;
    const KomadaiLimit none = {0, 0, 0};
    const KomadaiStatus status =
        komadai_engine_search(engine.get(), position.get(), none, true, nullptr, nullptr, &choice);
    other.join();
    check(status);
    std::cout << "stopped: " << usi(choice.best) << ", " << choice.nodes << " nodes\n";

    try {
        position_of("7gk/9/6P1+P b - 1");
    } catch (const std::runtime_error &error) {
        std::cout << "refused: " << error.what() << '\n';
        return 0;
    }
    return 1;
} catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
