/* str.c - the hash table of interned strings, and the text builder (base/str.h). */
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct Entry {
    const char *text;
    size_t length;
    uint64_t hash;
} Entry;

struct StrTable {
    Arena *arena;
    Entry *slots;
    size_t capacity, count; /* capacity is a power of two */
    const StrTable *base;   /* NULL: it has all its strings itself */
};

/* FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/ */
uint64_t str_hash(const char *text, size_t length)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    return hash;
}

StrTable *str_table_new(Arena *arena)
{
    StrTable *table = arena_make(arena, StrTable);
    table->arena = arena;
    table->capacity = 256;
    table->slots = arena_array(arena, Entry, table->capacity);
    return table;
}

StrTable *str_table_over(Arena *arena, const StrTable *base)
{
    StrTable *table = str_table_new(arena);
    table->base = base;
    return table;
}

static Entry *find_slot(Entry *slots, size_t capacity, const char *text, size_t length, uint64_t hash)
{
    for (size_t i = hash & (capacity - 1);; i = (i + 1) & (capacity - 1)) {
        Entry *entry = &slots[i];
        bool same = entry->text != NULL && entry->hash == hash && entry->length == length &&
                    memcmp(entry->text, text, length) == 0;
        if (entry->text == NULL || same)
            return entry;
    }
}

static void grow(StrTable *table)
{
    size_t capacity = 2 * table->capacity;
    Entry *slots = arena_array(table->arena, Entry, capacity);
    for (size_t i = 0; i < table->capacity; i++) {
        const Entry *old = &table->slots[i];
        if (old->text != NULL)
            *find_slot(slots, capacity, old->text, old->length, old->hash) = *old;
    }
    table->slots = slots;
    table->capacity = capacity;
}

const char *str_intern(StrTable *table, const char *text, size_t length)
{
    if (2 * table->count >= table->capacity)
        grow(table);
    uint64_t hash = str_hash(text, length);
    for (const StrTable *base = table->base; base != NULL; base = base->base) {
        const Entry *known = find_slot(base->slots, base->capacity, text, length, hash);
        if (known->text != NULL)
            return known->text;
    }
    Entry *entry = find_slot(table->slots, table->capacity, text, length, hash);
    if (entry->text == NULL) {
        *entry = (Entry){arena_copy(table->arena, text, length), length, hash};
        table->count++;
    }
    return entry->text;
}

const char *str_intern_z(StrTable *table, const char *text)
{
    return str_intern(table, text, strlen(text));
}

const char *str_intern_unique(StrTable *table, const char *text)
{
    const char *tried = text;
    for (int i = 2;; i++) {
        size_t before = table->count;
        const char *interned = str_intern_z(table, tried);
        if (table->count > before)
            return interned;
        tried = arena_printf(table->arena, "%s.%d", text, i);
    }
}

static void reserve(Text *text, size_t extra)
{
    size_t needed = text->length + extra + 1;
    if (needed <= text->capacity)
        return;
    size_t capacity = 2 * text->capacity > needed ? 2 * text->capacity : needed + 256;
    char *data = arena_alloc(text->arena, capacity);
    if (text->length > 0)
        memcpy(data, text->data, text->length);
    text->data = data;
    text->capacity = capacity;
}

void text_add_bytes(Text *text, const char *bytes, size_t length)
{
    reserve(text, length);
    if (length > 0)
        memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void text_add(Text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    reserve(text, (size_t)length);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    va_end(again);
    text->length += (size_t)length;
}

const char *str_bytes(Arena *arena, int64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double value = (double)bytes;
    int unit = 0;
    while (value >= 1024 && unit < 5) {
        value /= 1024;
        unit++;
    }
    int decimals = unit == 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return arena_printf(arena, "%.*f %s", decimals, value, units[unit]);
}

const char *str_seconds(Arena *arena, double seconds)
{
    static const struct {
        double least, unit;
        const char *name;
    } units[] = {{1, 1, "s"}, {1e-3, 1e-3, "ms"}, {0, 1e-6, "us"}};
    size_t u = 0;
    while (seconds < units[u].least)
        u++;
    return arena_printf(arena, "%.3g %s", seconds / units[u].unit, units[u].name);
}

const char *str_grouped(Arena *arena, int64_t number)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%lld", (long long)number);
    Text text = {.arena = arena};
    for (int i = 0; i < length; i++)
        text_add(&text, "%s%c", i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-' ? "," : "", digits[i]);
    return text.data;
}
