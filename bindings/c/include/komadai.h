/* The C interface of komadai, a library for shogi. MIT licence. Made from the Rust sources by cbindgen.
 *
 * Texts are UTF-8. Functions that can fail return a KomadaiStatus and write their result through the
 * last pointer, only if they succeed; komadai_last_error() tells more. Texts that they write are freed
 * with komadai_string_free.
 *
 * Pointers are null or valid, texts end with NUL, arrays have room for the stated number of values. What
 * a function takes as const is not changed by another thread meanwhile, what it changes is not used by
 * another thread. Null is refused, unless it has a meaning. */

#ifndef KOMADAI_H
#define KOMADAI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The number of this interface. It changes when a program has to be compiled again.
#define KOMADAI_ABI 1

// The number that is no move.
#define KOMADAI_NO_MOVE 0

// The result of a call. `komadai_last_error` tells more about a failure.
typedef enum KomadaiStatus {
  // It has done its work.
  KOMADAI_STATUS_OK = 0,
  // An argument that may not be null is null.
  KOMADAI_STATUS_NULL = 1,
  // A text is not UTF-8, or is no position, move, notation, or option.
  KOMADAI_STATUS_BAD_TEXT = 2,
  // A number is out of its range.
  KOMADAI_STATUS_OUT_OF_RANGE = 3,
  // A move breaks a rule, or there is none to take back.
  KOMADAI_STATUS_ILLEGAL_MOVE = 4,
  // The engine cannot be made or set, or cannot search this position.
  KOMADAI_STATUS_ENGINE = 5,
  // The engine is searching for another thread.
  KOMADAI_STATUS_BUSY = 6,
  // The library has failed: please report it.
  KOMADAI_STATUS_FAILED = 7,
} KomadaiStatus;

// The unit of a value.
typedef enum KomadaiScoreKind {
  // Centipawns for the side to move.
  KOMADAI_SCORE_KIND_CENTIPAWNS = 0,
  // Plies to mate, negative if the side to move is mated.
  KOMADAI_SCORE_KIND_MATE = 1,
} KomadaiScoreKind;

// The exactness of a value.
typedef enum KomadaiScoreBound {
  // The value.
  KOMADAI_SCORE_BOUND_EXACT = 0,
  // The value is at least this.
  KOMADAI_SCORE_BOUND_LOWER = 1,
  // The value is at most this.
  KOMADAI_SCORE_BOUND_UPPER = 2,
} KomadaiScoreBound;

// The decision of an engine.
typedef enum KomadaiChoiceKind {
  // A move.
  KOMADAI_CHOICE_KIND_MOVE = 0,
  // The engine resigns, or has no legal move.
  KOMADAI_CHOICE_KIND_RESIGN = 1,
  // The engine declares a win (入玉宣言).
  KOMADAI_CHOICE_KIND_WIN = 2,
} KomadaiChoiceKind;

// The answer of the mate solver.
typedef enum KomadaiMateStatus {
  // The limits ended the search.
  KOMADAI_MATE_STATUS_UNKNOWN = 0,
  // A mate, proved.
  KOMADAI_MATE_STATUS_MATE = 1,
  // No mate by continuous checks exists, proved.
  KOMADAI_MATE_STATUS_NO_MATE = 2,
} KomadaiMateStatus;

// A side.
typedef enum KomadaiColor {
  // Black (先手), who moves first in an even game.
  KOMADAI_COLOR_BLACK = 0,
  // White (後手).
  KOMADAI_COLOR_WHITE = 1,
} KomadaiColor;

// The end of a game by its rules.
typedef enum KomadaiOutcomeKind {
  // The game goes on.
  KOMADAI_OUTCOME_KIND_NONE = 0,
  // A win.
  KOMADAI_OUTCOME_KIND_WIN = 1,
  // A draw.
  KOMADAI_OUTCOME_KIND_DRAW = 2,
} KomadaiOutcomeKind;

// The mate to look for.
typedef enum KomadaiGoal {
  // Any mate, the fastest to find.
  KOMADAI_GOAL_ANY = 0,
  // A short one.
  KOMADAI_GOAL_SHORT = 1,
  // The shortest, proved.
  KOMADAI_GOAL_SHORTEST = 2,
} KomadaiGoal;

// The colours of a picture.
typedef enum KomadaiTheme {
  // Those of the reader's system.
  KOMADAI_THEME_AUTO = 0,
  // Light.
  KOMADAI_THEME_LIGHT = 1,
  // Dark.
  KOMADAI_THEME_DARK = 2,
} KomadaiTheme;

// An engine. It makes one search at a time; `komadai_engine_stop` may be called on any thread.
typedef struct KomadaiEngine KomadaiEngine;

// A position with the moves that led to it. Functions that take it as `const` may run on several
// threads at once, others not.
typedef struct KomadaiPosition KomadaiPosition;

// The limits of a search, whichever is reached first. 0 is no limit; without any the search runs
// until it is stopped.
typedef struct KomadaiLimit {
  // The largest number of nodes. The same nodes give the same result on every machine, on one
  // thread.
  uint64_t nodes;
  // The largest depth in plies.
  uint32_t depth;
  // Milliseconds.
  uint32_t time_ms;
} KomadaiLimit;

// A line of a search.
typedef struct KomadaiLine {
  // The unit of the value.
  enum KomadaiScoreKind kind;
  // The value for the side to move.
  int32_t value;
  // The exactness of the value.
  enum KomadaiScoreBound bound;
  // The depth of the search of this line, in plies.
  uint32_t depth;
  // The moves.
  const uint16_t *moves;
  // The number of moves.
  size_t length;
} KomadaiLine;

// The state of a search: its lines, the best first. It is valid during the call that gets it.
typedef struct KomadaiAnalysis {
  // The depth of the last finished iteration, in plies.
  uint32_t depth;
  // The depth of the longest line, in plies.
  uint32_t seldepth;
  // The number of nodes.
  uint64_t nodes;
  // Milliseconds.
  uint64_t time_ms;
  // The lines.
  const struct KomadaiLine *lines;
  // The number of lines.
  size_t line_count;
} KomadaiAnalysis;

// A function that gets the state of a search after each iteration, and once more at its end.
// It runs on the thread that called `komadai_engine_search`; false ends the search. It must
// not throw.
typedef bool (*KomadaiOnAnalysis)(void*, const struct KomadaiAnalysis*);

// The choice of an engine.
typedef struct KomadaiChoice {
  // A move, a resignation or a declaration.
  enum KomadaiChoiceKind kind;
  // The move, or 0.
  uint16_t best;
  // The expected reply, or 0.
  uint16_t ponder;
  // The number of nodes of mate solver and search.
  uint64_t nodes;
} KomadaiChoice;

// The result of a mate search.
typedef struct KomadaiMate {
  // The answer.
  enum KomadaiMateStatus status;
  // True if it is proved that no shorter mate exists.
  bool shortest;
  // The number of moves of the line; more than were written if they did not fit.
  size_t length;
  // The number of positions visited.
  uint64_t nodes;
} KomadaiMate;

// The outcome of a game.
typedef struct KomadaiOutcome {
  // A win, a draw or none.
  enum KomadaiOutcomeKind kind;
  // The winner; of no meaning without a win.
  enum KomadaiColor winner;
} KomadaiOutcome;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The number of the interface of the library that runs: a program compares it with `KOMADAI_ABI`.
uint32_t komadai_abi(void);

// The version of the library: `"0.1.0"`.
const char *komadai_version(void);

// Writes a new engine with a table of 64 MiB and one thread. `network` is the file of a network of
// another program (nn.bin) or a folder with one; null for the network inside the library.
enum KomadaiStatus komadai_engine_new(const char *network, struct KomadaiEngine **out);

// Frees an engine, which must not be searching. Null is fine.
void komadai_engine_free(struct KomadaiEngine *engine);

// Sets a USI option: "USI_Hash", "Threads", "MultiPV", "SkillLevel" and all others of the engine,
// with its value as text.
enum KomadaiStatus komadai_engine_set(const struct KomadaiEngine *engine,
                                      const char *name,
                                      const char *value);

// Forgets everything learned from earlier searches.
enum KomadaiStatus komadai_engine_new_game(const struct KomadaiEngine *engine);

// Writes the static value of a position in centipawns for the side to move.
enum KomadaiStatus komadai_engine_evaluate(const struct KomadaiEngine *engine,
                                           const struct KomadaiPosition *position,
                                           int32_t *out);

// Ends the search that another thread waits for. It returns what it has found.
enum KomadaiStatus komadai_engine_stop(const struct KomadaiEngine *engine);

// Searches for a move to play, or with `analyse` for the values of the best lines without book and
// mate solver. `on_analysis` may be null; `user` is passed to it.
enum KomadaiStatus komadai_engine_search(const struct KomadaiEngine *engine,
                                         const struct KomadaiPosition *position,
                                         struct KomadaiLimit limit,
                                         bool analyse,
                                         KomadaiOnAnalysis on_analysis,
                                         void *user,
                                         struct KomadaiChoice *out);

// Searches for a mate by continuous checks of the side to move, on one thread with a table of
// `hash_mib` MiB, and writes the moves of both sides, as many as fit. `goal` is a value of
// `KomadaiGoal`. A limit is needed: the search cannot be stopped.
enum KomadaiStatus komadai_solve_mate(const struct KomadaiPosition *position,
                                      uint32_t goal,
                                      struct KomadaiLimit limit,
                                      uint32_t hash_mib,
                                      uint16_t *moves,
                                      size_t capacity,
                                      struct KomadaiMate *out);

// Reads a move in USI notation: "7g7f", "8h2b+", "P*5e". It need not be legal anywhere.
//
// The number of a move: bits 0 to 6 are the destination, 7 to 13 the origin, or for a drop the
// piece (1 to 7: pawn, lance, knight, silver, bishop, rook, gold), bit 14 is a drop, bit 15 a
// promotion. Squares are (file - 1) * 9 + (rank - 1).
enum KomadaiStatus komadai_move_parse(const char *usi, uint16_t *out);

// Writes a move in USI notation. The caller frees the text with `komadai_string_free`.
enum KomadaiStatus komadai_move_usi(uint16_t m, char **out);

// Writes the board with both hands as a picture in SVG, the last move marked. `theme` is a
// value of `KomadaiTheme`; `flip`: White below.
enum KomadaiStatus komadai_position_svg(const struct KomadaiPosition *position,
                                        uint32_t theme,
                                        bool flip,
                                        char **out);

// Frees a text that a function of this interface has given. Null is fine.
void komadai_string_free(char *text);

// Writes a new position: null or "startpos" is the start of the even game; an SFEN, a USI position
// ("startpos moves 7g7f 3c3d") or the Japanese name of a handicap.
enum KomadaiStatus komadai_position_new(const char *position, struct KomadaiPosition **out);

// Writes a copy of a position.
enum KomadaiStatus komadai_position_clone(const struct KomadaiPosition *position,
                                          struct KomadaiPosition **out);

// Frees a position. Null is fine.
void komadai_position_free(struct KomadaiPosition *position);

// Writes the SFEN of a position.
enum KomadaiStatus komadai_position_sfen(const struct KomadaiPosition *position, char **out);

// Writes the start and the moves from it, as in the USI command `position`.
enum KomadaiStatus komadai_position_usi(const struct KomadaiPosition *position, char **out);

// Writes the side to move.
enum KomadaiStatus komadai_position_turn(const struct KomadaiPosition *position,
                                         enum KomadaiColor *out);

// Writes true if the side to move is in check.
enum KomadaiStatus komadai_position_in_check(const struct KomadaiPosition *position, bool *out);

// Writes the piece on a square: 0 for none, else 1 to 14 for Black and 17 to 30 for White. Pawn,
// lance, knight, silver, bishop, rook, gold, king are 1 to 8, promoted pawn to promoted rook 9 to
// 14. Squares are (file - 1) * 9 + (rank - 1).
enum KomadaiStatus komadai_position_piece(const struct KomadaiPosition *position,
                                          uint32_t square,
                                          uint8_t *out);

// Writes the numbers of pieces in hand of a side, a value of `KomadaiColor`: seven numbers, of
// pawns, lances, knights, silvers, bishops, rooks and golds.
enum KomadaiStatus komadai_position_hand(const struct KomadaiPosition *position,
                                         uint32_t color,
                                         uint8_t *out);

// Writes the number of legal moves, and the moves, as many as fit. No position has more than 600.
enum KomadaiStatus komadai_position_legal_moves(const struct KomadaiPosition *position,
                                                uint16_t *moves,
                                                size_t capacity,
                                                size_t *count);

// Writes the number of lines of legal moves of a length. It grows some thirtyfold with each ply.
enum KomadaiStatus komadai_position_perft(const struct KomadaiPosition *position,
                                          uint32_t depth,
                                          uint64_t *out);

// Makes a legal move. An illegal one leaves the position as it is; the last error names the rule.
enum KomadaiStatus komadai_position_push(struct KomadaiPosition *position, uint16_t m);

// Takes the last move back, and writes it; null is fine for `out`.
enum KomadaiStatus komadai_position_pop(struct KomadaiPosition *position, uint16_t *out);

// Writes the last move, or 0 at the start.
enum KomadaiStatus komadai_position_last_move(const struct KomadaiPosition *position,
                                              uint16_t *out);

// Writes the end of the game by its rules: checkmate, no legal move, fourfold repetition.
enum KomadaiStatus komadai_position_outcome(const struct KomadaiPosition *position,
                                            struct KomadaiOutcome *out);

// Writes the names of a line of legal moves, with spaces between them: notation "usi", "japanese",
// "kif", "hodges", "hosking" or "csa".
enum KomadaiStatus komadai_position_names(const struct KomadaiPosition *position,
                                          const uint16_t *moves,
                                          size_t count,
                                          const char *notation_name,
                                          char **out);

// The text of the last failure on this thread, in UTF-8; empty if there was none. It is valid
// until the next failure on this thread and is not to be freed.
const char *komadai_last_error(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KOMADAI_H */
