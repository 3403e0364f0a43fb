/* Wrong arguments of every function: each is refused with a text, and nothing is written. */
#include <stdio.h>
#include <string.h>

#include "komadai.h"

static int failures;

static void expect(int line, const char *call, KomadaiStatus found, KomadaiStatus expected) {
    const char *text = komadai_last_error();
    if (found != expected || text[0] == '\0') {
        printf("line %d: %s: found %d, expected %d: %s\n", line, call, (int)found, (int)expected, text);
        failures++;
    }
}
#define EXPECT(status, call) expect(__LINE__, #call, call, KOMADAI_STATUS_##status)

/* A small generator (xorshift), the same on every machine. */
static uint64_t state = 88172645463325252u;
static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Texts that are cut and changed at random. */
static void random_texts(void) {
    static const char *const texts[] = {
        "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "sfen 4k4/9/9/9/9/9/9/9/4K4 w 2R2B4G4S4N4L18P 1 moves P*5b", "7g7f", "P*5e", "2枚落ち",
    };
    for (int i = 0; i < 20000; i++) {
        char text[128];
        strncpy(text, texts[next() % 6], sizeof text - 1);
        text[sizeof text - 1] = '\0';
        size_t length = strlen(text);
        for (uint64_t changes = next() % 3; changes > 0; changes--) text[next() % length] = (char)next();
        KomadaiPosition *position = NULL;
        if (komadai_position_new(text, &position) == KOMADAI_STATUS_OK) {
            for (int j = 0; j < 3; j++) (void)komadai_position_push(position, (uint16_t)next());
            komadai_position_free(position);
        } else if (position != NULL) {
            printf("a refused position was written: %s\n", text);
            failures++;
        }
        uint16_t move;
        (void)komadai_move_parse(text, &move);
    }
}

int main(void) {
    KomadaiPosition *position = NULL, *none = NULL;
    KomadaiEngine *engine = NULL;
    char *text = NULL;
    uint16_t move = 0;
    size_t count = 0;
    uint8_t piece = 0, hand[7];
    KomadaiMate mate;
    KomadaiChoice choice;
    const KomadaiLimit few = {1000, 0, 0}, endless = {0, 0, 0};
    if (komadai_last_error()[0] != '\0') failures++;

    EXPECT(NULL, komadai_position_new(NULL, NULL));
    EXPECT(BAD_TEXT, komadai_position_new("", &none));
    EXPECT(BAD_TEXT, komadai_position_new("\xff\xfe", &none));
    EXPECT(BAD_TEXT, komadai_position_new("startpos moves 7g7e", &none));
    EXPECT(BAD_TEXT, komadai_position_new("9/9/9/9/9/9/9/9/9 b 999999999P 1", &none));
    if (komadai_position_new(NULL, &position) != KOMADAI_STATUS_OK) return 1;

    EXPECT(NULL, komadai_position_clone(NULL, &none));
    EXPECT(NULL, komadai_position_sfen(NULL, &text));
    EXPECT(NULL, komadai_position_sfen(position, NULL));
    EXPECT(NULL, komadai_position_usi(NULL, &text));
    EXPECT(NULL, komadai_position_turn(position, NULL));
    EXPECT(NULL, komadai_position_in_check(NULL, NULL));
    EXPECT(OUT_OF_RANGE, komadai_position_piece(position, 81, &piece));
    EXPECT(OUT_OF_RANGE, komadai_position_piece(position, UINT32_MAX, &piece));
    EXPECT(OUT_OF_RANGE, komadai_position_hand(position, 2, hand));
    EXPECT(NULL, komadai_position_hand(position, 0, NULL));
    EXPECT(NULL, komadai_position_legal_moves(NULL, &move, 1, &count));
    EXPECT(NULL, komadai_position_legal_moves(position, NULL, 600, NULL));
    EXPECT(NULL, komadai_position_perft(position, 2, NULL));
    EXPECT(OUT_OF_RANGE, komadai_position_push(position, KOMADAI_NO_MOVE));
    EXPECT(OUT_OF_RANGE, komadai_position_push(position, 65535));
    EXPECT(NULL, komadai_position_push(NULL, 1));
    EXPECT(ILLEGAL_MOVE, komadai_position_pop(position, NULL));
    EXPECT(NULL, komadai_position_last_move(position, NULL));
    EXPECT(NULL, komadai_position_outcome(NULL, NULL));
    EXPECT(BAD_TEXT, komadai_position_names(position, NULL, 0, "klingon", &text));
    EXPECT(NULL, komadai_position_names(position, NULL, 3, "usi", &text));
    EXPECT(NULL, komadai_position_names(position, NULL, 0, NULL, &text));
    EXPECT(BAD_TEXT, komadai_move_parse("9z9z", &move));
    EXPECT(NULL, komadai_move_parse(NULL, &move));
    EXPECT(OUT_OF_RANGE, komadai_move_usi(KOMADAI_NO_MOVE, &text));
    EXPECT(OUT_OF_RANGE, komadai_position_svg(position, 3, false, &text));
    EXPECT(OUT_OF_RANGE, komadai_solve_mate(position, 9, few, 16, NULL, 0, &mate));
    EXPECT(OUT_OF_RANGE, komadai_solve_mate(position, 0, endless, 16, NULL, 0, &mate));
    EXPECT(OUT_OF_RANGE, komadai_solve_mate(position, 0, few, 0, NULL, 0, &mate));
    EXPECT(OUT_OF_RANGE, komadai_solve_mate(position, 0, few, UINT32_MAX, NULL, 0, &mate));
    EXPECT(ENGINE, komadai_engine_new("/no/such/network.bin", &engine));
    EXPECT(NULL, komadai_engine_new(NULL, NULL));
    EXPECT(NULL, komadai_engine_stop(NULL));
    EXPECT(NULL, komadai_engine_new_game(NULL));
    if (text != NULL || none != NULL || engine != NULL || move != 0 || count != 0) {
        printf("a call that failed has written\n");
        failures++;
    }
    if (komadai_engine_new(NULL, &engine) != KOMADAI_STATUS_OK) return 1;
    EXPECT(BAD_TEXT, komadai_engine_set(engine, "NoSuchOption", "1"));
    EXPECT(BAD_TEXT, komadai_engine_set(engine, "MultiPV", "0"));
    EXPECT(BAD_TEXT, komadai_engine_set(engine, "USI_Hash", "99999999999999999999"));
    EXPECT(ENGINE, komadai_engine_set(engine, "EvalFile", "/no/such/network.bin"));
    EXPECT(NULL, komadai_engine_evaluate(engine, NULL, NULL));
    EXPECT(NULL, komadai_engine_search(engine, NULL, few, false, NULL, NULL, &choice));
    EXPECT(NULL, komadai_engine_search(engine, position, few, false, NULL, NULL, NULL));

    random_texts();

    komadai_engine_free(engine);
    komadai_engine_free(NULL);
    komadai_position_free(position);
    komadai_position_free(NULL);
    komadai_string_free(NULL);
    printf(failures ? "%d failures\n" : "%d failures: every call is refused with a text\n", failures);
    return failures > 0;
}
