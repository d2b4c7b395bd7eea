/* codegen.c - entry point of code generation: checks, texts, files, the C compiler. */
#include "codegen/codegen.h"

#include "codegen/emit.h"
#include "codegen/files.h"
#include "codegen/launcher.h"
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- Where things are --------------------------------------------------------------------------------------- */

static bool exists(Arena *arena, const char *directory, const char *name)
{
    return access(arena_printf(arena, "%s/%s", directory, name), R_OK) == 0;
}

/* The directory of the running program; NULL if /proc does not have it. */
static char *own_directory(Arena *arena)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length <= 0 || length == (ssize_t)sizeof path)
        return NULL;
    char *copy = arena_copy(arena, path, (size_t)length);
    *strrchr(copy, '/') = '\0';
    return copy;
}

const char *codegen_find_paths(Arena *arena, CodegenPaths *paths)
{
    static const char *const places[][2] = {
        {".", "include"}, {"..", "../include"}, {"../lib/place", "../include/place"}};
    const char *own = own_directory(arena);
    if (own == NULL)
        return "/proc/self/exe";
    const char *missing = "libplacert.a";
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *libraries = realpath(arena_printf(arena, "%s/%s", own, places[i][0]), NULL);
        const char *include = realpath(arena_printf(arena, "%s/%s", own, places[i][1]), NULL);
        bool here = libraries != NULL && exists(arena, libraries, "libplacert.a");
        bool complete = here && include != NULL && exists(arena, include, "place_rt.h") &&
                        exists(arena, libraries, LLVM_LIBRARY_NAME);
        if (here && !complete)
            missing = exists(arena, libraries, LLVM_LIBRARY_NAME) ? "place_rt.h" : LLVM_LIBRARY_NAME;
        if (complete)
            *paths = (CodegenPaths){arena_printf(arena, "%s", include), arena_printf(arena, "%s", libraries),
                                    arena_printf(arena, "%s/" LLVM_LIBRARY_NAME, libraries)};
        free((void *)libraries);
        free((void *)include);
        if (complete)
            return NULL;
    }
    return missing;
}

static void report_missing(Ctx *ctx, const Train *train, const char *what)
{
    Diagnostic *d = diag_report(ctx->diag, P0502, train->optimizer_span, "'%s' was not found", what);
    diag_help(d, "build or install Place as a whole: placec looks for its libraries next to itself and in "
                 "../lib/place.");
}

/* ---- Files -------------------------------------------------------------------------------------------------- */

/* Where files are made before they are moved. Paths are relative to the process's working directory. */
typedef struct Output {
    Arena *arena;
    const char *directory, *temporary;
    bool created; /* the directory */
    const char **failure;
} Output;

/* `copied`: the runtime's, as it was built; where it is there for a kind of MPI that may not be installed. */
static const struct {
    const char *name;
    enum { WRITTEN, COPIED, COPIED_IF_THERE } origin;
} output_files[] = {{"program.c", WRITTEN},   {"kernels.o", WRITTEN},        {"kernels.ptx", WRITTEN},
                    {"Makefile", WRITTEN},    {"run.sh", WRITTEN},           {"job.sbatch", WRITTEN},
                    {"plan.json", WRITTEN},   {"program", WRITTEN},          {"place_rt.h", COPIED},
                    {"libplacert.a", COPIED}, {"libplacert_mpi.so", COPIED}, {"libplacert_mpich.so", COPIED_IF_THERE}};
enum { OUTPUT_FILES = sizeof output_files / sizeof *output_files };

static bool fail(const Output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(const Output *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *out->failure = arena_vprintf(out->arena, format, args);
    va_end(args);
    return false;
}

/* Was this Makefile made by an earlier build? Its first line says so. */
static bool is_own_makefile(const char *path)
{
    char line[512] = "";
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return strstr(line, "Written by placec.") != NULL;
}

/* Files of an earlier build are replaced; a file of the same name from anyone else is not. */
static bool names_are_free(const Output *out)
{
    bool own = is_own_makefile(arena_printf(out->arena, "%s/Makefile", out->directory));
    for (int i = 0; i < OUTPUT_FILES; i++) {
        const char *path = arena_printf(out->arena, "%s/%s", out->directory, output_files[i].name);
        struct stat status;
        if (lstat(path, &status) == 0 && (!own || !S_ISREG(status.st_mode)))
            return fail(out, "'%s' is there and was not written by placec; build into another directory with -o", path);
    }
    return true;
}

static bool open_output(Output *out)
{
    const char *failed = files_make_parents(out->arena, out->directory);
    if (failed != NULL)
        return fail(out, "cannot make the directory '%s': %s", failed, strerror(errno));
    out->created = mkdir(out->directory, 0777) == 0;
    if (!out->created && errno != EEXIST)
        return fail(out, "cannot make the directory '%s': %s", out->directory, strerror(errno));
    if (!names_are_free(out))
        return false;
    char *temporary = arena_printf(out->arena, "%s/.build-XXXXXX", out->directory);
    if (mkdtemp(temporary) == NULL)
        return fail(out, "cannot write in '%s': %s", out->directory, strerror(errno));
    out->temporary = temporary;
    return true;
}

static const char *temporary_path(const Output *out, const char *name)
{
    return arena_printf(out->arena, "%s/%s", out->temporary, name);
}

static bool write_file(const Output *out, const char *name, const char *bytes, size_t length, mode_t mode)
{
    const char *path = temporary_path(out, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return fail(out, "cannot write '%s/%s': %s", out->directory, name, strerror(errno));
    bool good = fwrite(bytes, 1, length, file) == length;
    good = fclose(file) == 0 && good;
    good = good && chmod(path, mode) == 0;
    return good || fail(out, "cannot write '%s/%s': %s", out->directory, name, strerror(errno));
}

static bool write_text(const Output *out, const char *name, const char *text)
{
    return write_file(out, name, text, strlen(text), 0666 & ~(mode_t)022);
}

static bool write_script(const Output *out, const char *name, const char *text)
{
    return write_file(out, name, text, strlen(text), 0755);
}

/* The runtime's files, so that the directory needs nothing of Place on another host. */
static bool copy_runtime(const Output *out, const CodegenPaths *paths)
{
    for (int i = 0; i < OUTPUT_FILES; i++) {
        const char *name = output_files[i].name;
        if (output_files[i].origin == WRITTEN)
            continue;
        size_t length = 0;
        const char *from = strcmp(name, "place_rt.h") == 0 ? paths->include : paths->libraries;
        const char *path = arena_printf(out->arena, "%s/%s", from, name);
        if (output_files[i].origin == COPIED_IF_THERE && access(path, R_OK) != 0)
            continue;
        const char *bytes = files_read(out->arena, path, &length);
        if (bytes == NULL)
            return fail(out, "cannot read '%s': %s", path, strerror(errno));
        if (!write_file(out, name, bytes, length, 0644))
            return false;
    }
    return true;
}

/* All files exist by now, so a rename can fail only if the directory changes meanwhile. */
static bool move_files(const Output *out)
{
    for (int i = 0; i < OUTPUT_FILES; i++) {
        const char *name = output_files[i].name;
        const char *path = arena_printf(out->arena, "%s/%s", out->directory, name);
        if (rename(temporary_path(out, name), path) != 0 &&
            (errno != ENOENT || output_files[i].origin != COPIED_IF_THERE))
            return fail(out, "cannot write '%s': %s", path, strerror(errno));
    }
    return true;
}

/* Removes the temporary files; if the build failed, everything. */
static void close_output(const Output *out, bool good)
{
    for (int i = 0; i < OUTPUT_FILES && out->temporary != NULL; i++)
        unlink(temporary_path(out, output_files[i].name));
    if (out->temporary != NULL)
        rmdir(out->temporary);
    if (!good && out->created)
        rmdir(out->directory);
}

/* ---- The C compiler ----------------------------------------------------------------------------------------- */

/* Runs `cc` in the temporary directory; its output goes to stderr. */
static bool compile(Ctx *ctx, const Train *train, const Output *out, const char *const *words)
{
    const char *own = getenv("CC"), *compiler = own != NULL && own[0] != '\0' ? own : "cc";
    Vec(char *) argv = {0};
    vec_push(ctx->arena, &argv, arena_printf(ctx->arena, "%s", compiler));
    for (; *words != NULL; words++)
        vec_push(ctx->arena, &argv, arena_printf(ctx->arena, "%s", *words));
    vec_push(ctx->arena, &argv, NULL);

    posix_spawn_file_actions_t actions;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, out->temporary);
    int error = posix_spawnp(&child, compiler, &actions, NULL, argv.data, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        Diagnostic *d =
            diag_report(ctx->diag, P0502, train->optimizer_span, "the C compiler '%s': %s", compiler, strerror(error));
        diag_help(d, "install one (Debian: gcc), or name yours in the environment variable CC.");
        return false;
    }
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    return fail(out, "'%s' did not compile the program", compiler);
}

/* ---- Kernels ------------------------------------------------------------------------------------------------- */

static const KernelCode *compile_kernels(const Output *out, const KernelTable *kernels, const CodegenPaths *paths,
                                         LlvmOutput output, KernelCache *cache)
{
    const char *error = "";
    const KernelCode *codes = kernels_compile(kernels, paths->llvm_library, output, cache, &error);
    if (codes == NULL)
        fail(out, "kernels cannot be generated: %s", error);
    return codes;
}

static const char *object_name(Arena *arena, int code)
{
    return arena_printf(arena, "kernel-%d.o", code);
}

/* Links the object files to one, kernels.o. */
static bool link_objects(Ctx *ctx, const Train *train, const Output *out, const KernelCode *objects, int count)
{
    static const char *const link_words[] = {"-r", "-nostdlib", "-o", "kernels.o"};
    Vec(const char *) words = {0};
    for (size_t i = 0; i < sizeof link_words / sizeof *link_words; i++)
        vec_push(ctx->arena, &words, link_words[i]);
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        vec_push(ctx->arena, &words, object_name(ctx->arena, i));
        good = write_file(out, object_name(ctx->arena, i), objects[i].bytes, objects[i].length, 0644);
    }
    vec_push(ctx->arena, &words, NULL);
    good = good && compile(ctx, train, out, words.data);
    for (int i = 0; i < count; i++)
        unlink(temporary_path(out, object_name(ctx->arena, i)));
    return good;
}

static bool write_kernels(Ctx *ctx, const Train *train, const Output *out, const KernelTable *kernels,
                          const CodegenPaths *paths)
{
    KernelCache cache;
    if (!kernel_cache_open(ctx->arena, &cache, out->failure))
        return false;
    const KernelCode *objects = compile_kernels(out, kernels, paths, LLVM_HOST_OBJECT, &cache),
                     *texts = objects != NULL ? compile_kernels(out, kernels, paths, LLVM_PTX, &cache) : NULL;
    kernel_cache_close(&cache);
    if (texts == NULL)
        return false;
    KernelCode ptx = kernels_join(kernels, texts);
    return write_file(out, "kernels.ptx", ptx.bytes, ptx.length, 0644) &&
           link_objects(ctx, train, out, objects, kernels_code_count(kernels));
}

/* ---- Build -------------------------------------------------------------------------------------------------- */

static bool write_all(Ctx *ctx, const Train *train, const StepFile *file, const char *plan_json, const Output *out,
                      const CodegenPaths *paths)
{
    KernelTable kernels = {.arena = ctx->arena};
    const char *program = emit_program(ctx, train, file, &kernels);
    return write_text(out, "program.c", program) && write_kernels(ctx, train, out, &kernels, paths) &&
           write_text(out, "Makefile", launcher_makefile(ctx->arena, file)) &&
           write_script(out, "run.sh", launcher_run_script(ctx->arena, train, file)) &&
           write_script(out, "job.sbatch", launcher_job_script(ctx->arena, train, file)) &&
           write_text(out, "plan.json", plan_json) && copy_runtime(out, paths) &&
           compile(ctx, train, out, launcher_compile_words(ctx->arena));
}

CodegenStatus codegen_run(Ctx *ctx, const Train *train, const StepFile *file, const char *plan_json,
                          const char *directory, const char **failure)
{
    Output out = {.arena = ctx->arena, .directory = directory, .failure = failure};
    if (!codegen_check(ctx, train, file))
        return CODEGEN_REFUSED;
    CodegenPaths paths;
    const char *missing = codegen_find_paths(ctx->arena, &paths);
    if (missing != NULL) {
        report_missing(ctx, train, missing);
        return CODEGEN_FAILED;
    }
    bool good = open_output(&out) && write_all(ctx, train, file, plan_json, &out, &paths) && move_files(&out);
    close_output(&out, good);
    return good ? CODEGEN_DONE : CODEGEN_FAILED;
}

bool codegen_dump(Ctx *ctx, const Train *train, const StepFile *file, const char *what, FILE *out, const char **failure)
{
    if (!codegen_check(ctx, train, file))
        return false;
    KernelTable kernels = {.arena = ctx->arena};
    const char *program = emit_program(ctx, train, file, &kernels);
    if (strcmp(what, "c") == 0) {
        fputs(program, out);
        return true;
    }
    CodegenPaths paths;
    const char *missing = codegen_find_paths(ctx->arena, &paths);
    if (missing != NULL) {
        report_missing(ctx, train, missing);
        return false;
    }
    const Output none = {.arena = ctx->arena, .failure = failure};
    LlvmOutput output = strcmp(what, "ptx") == 0 ? LLVM_PTX : LLVM_HOST_TEXT;
    KernelCache no_cache = {.arena = ctx->arena};
    const KernelCode *texts = compile_kernels(&none, &kernels, &paths, output, &no_cache);
    if (texts == NULL)
        return false;
    KernelCode text = kernels_join(&kernels, texts);
    return fwrite(text.bytes, 1, text.length, out) == text.length;
}
