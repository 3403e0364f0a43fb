/* Rules, a search with its lines, a proved mate and a picture, in C.
 *
 *     search [PICTURE.svg]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "komadai.h"

/* Ends the program if a call has failed. */
static void check(KomadaiStatus status) {
    if (status != KOMADAI_STATUS_OK) {
        fprintf(stderr, "%s\n", komadai_last_error());
        exit(1);
    }
}

/* What the search is told with each of its lines. */
typedef struct {
    const KomadaiPosition *position;
    unsigned iterations;
} Reader;

static bool on_analysis(void *user, const KomadaiAnalysis *analysis) {
    Reader *reader = user;
    reader->iterations++;
    for (size_t i = 0; i < analysis->line_count; i++) {
        const KomadaiLine *line = &analysis->lines[i];
        char *names = NULL;
        check(komadai_position_names(reader->position, line->moves, line->length, "japanese", &names));
        printf("depth %2u  %s%+d  %s\n", (unsigned)analysis->depth,
               line->kind == KOMADAI_SCORE_KIND_MATE ? "mate " : "", (int)line->value, names);
        komadai_string_free(names);
    }
    return true;
}

int main(int argc, char **argv) {
    if (komadai_abi() != KOMADAI_ABI) {
        fprintf(stderr, "the library has another interface than the header\n");
        return 1;
    }

    KomadaiPosition *position = NULL;
    check(komadai_position_new("startpos moves 7g7f 3c3d", &position));
    uint16_t moves[600];
    size_t count = 0;
    check(komadai_position_legal_moves(position, moves, 600, &count));
    printf("%zu legal moves\n", count);

    uint16_t wrong = KOMADAI_NO_MOVE;
    check(komadai_move_parse("2h2c", &wrong));
    if (komadai_position_push(position, wrong) == KOMADAI_STATUS_ILLEGAL_MOVE) {
        printf("illegal: %s\n", komadai_last_error());
    }

    KomadaiEngine *engine = NULL;
    check(komadai_engine_new(NULL, &engine));
    check(komadai_engine_set(engine, "MultiPV", "2"));
    Reader reader = {position, 0};
    KomadaiLimit limit = {50000, 0, 0};
    KomadaiChoice choice;
    check(komadai_engine_search(engine, position, limit, true, on_analysis, &reader, &choice));
    char *best = NULL;
    check(komadai_move_usi(choice.best, &best));
    printf("best %s, %llu nodes, told %u times\n", best, (unsigned long long)choice.nodes, reader.iterations);
    komadai_string_free(best);
    check(komadai_position_push(position, choice.best));
    komadai_engine_free(engine);

    if (argc > 1) {
        char *svg = NULL;
        check(komadai_position_svg(position, KOMADAI_THEME_LIGHT, false, &svg));
        FILE *file = fopen(argv[1], "wb");
        if (!file || fputs(svg, file) < 0 || fclose(file) != 0) {
            perror(argv[1]);
            return 1;
        }
        komadai_string_free(svg);
    }
    komadai_position_free(position);

    /* A problem of fifteen moves. */
    KomadaiPosition *problem = NULL;
    KomadaiMate mate;
    KomadaiLimit enough = {1000000, 0, 0};
    check(komadai_position_new("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1", &problem));
    check(komadai_solve_mate(problem, KOMADAI_GOAL_SHORTEST, enough, 16, moves, 600, &mate));
    char *names = NULL;
    check(komadai_position_names(problem, moves, mate.length, "japanese", &names));
    printf("mate in %zu%s: %s\n", mate.length, mate.shortest ? ", proved to be the shortest" : "", names);
    komadai_string_free(names);
    komadai_position_free(problem);
    return 0;
}
