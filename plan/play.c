/* play.c - plays a routine on one rank of every class (plan/play.h).
 *
 * The routine is first folded: what neither communicates between the played ranks nor asks for a variable or a
 * coordinate becomes one number of seconds, whatever its length. Of the folded tree each rank has a copy without what
 * its coordinates rule out. It walks over that with a stack of its own, so that it can stop where it has to wait. What
 * it communicates is a *post*; posts that belong together are a *meeting*, which is held when its last rank has come.
 */
#include "plan/play.h"

#include <math.h>
#include <string.h>

/* ---- The folded routine ------------------------------------------------------------------------------------- */

typedef struct Scene Scene;
typedef Vec(Scene *) SceneList;

/* A node of the step program, or several that are only time. */
struct Scene {
    const Node *node; /* NULL: `computing` and `communicating` seconds */
    int number;       /* of those with a node */
    double computing, communicating;
    SceneList body; /* of a loop or guard */
    bool timed;     /* a loop whose body is time alone */
};

typedef struct Fold {
    Arena *arena;
    const Program *program;
    AxisMask played; /* axes on which the played ranks differ */
    const double *seconds;
    int count; /* scenes with a node */
} Fold;

static AxisMask axes_of(const AxisSet *set)
{
    AxisMask axes = 0;
    for (int i = 0; i < set->count; i++)
        axes |= (AxisMask)1 << set->axis[i];
    return axes;
}

/* Do played ranks meet there? Ranks along other axes do it at the same time. */
static bool is_met(const Fold *f, const Op *op)
{
    return op_info[op->kind].op_class == CLASS_COMM && (axes_of(&op->axes) & f->played) != 0;
}

static void add_time(Arena *arena, SceneList *list, double computing, double communicating)
{
    Scene *last = list->count > 0 ? list->data[list->count - 1] : NULL;
    if (last == NULL || last->node != NULL) {
        last = arena_make(arena, Scene);
        vec_push(arena, list, last);
    }
    last->computing += computing;
    last->communicating += communicating;
}

static int64_t trips_of(const Node *loop, int64_t first, int64_t last)
{
    return (last - first) * loop->loop.step + 1;
}

/* Of a loop whose body is `time` alone. */
static void add_trips(Arena *arena, SceneList *list, const Scene *time, int64_t trips)
{
    add_time(arena, list, (double)trips * time->computing, (double)trips * time->communicating);
}

static Scene *add_node(Fold *f, SceneList *list, const Node *node)
{
    Scene *scene = arena_make(f->arena, Scene);
    scene->node = node;
    scene->number = f->count++;
    vec_push(f->arena, list, scene);
    return scene;
}

static bool is_time(const SceneList *list)
{
    return list->count == 0 || (list->count == 1 && list->data[0]->node == NULL);
}

static void fold_op(Fold *f, SceneList *list, const Node *node)
{
    const Op *op = node->op;
    bool communicates = op_info[op->kind].op_class == CLASS_COMM;
    if (is_met(f, op) || op->event >= 0)
        add_node(f, list, node);
    else
        add_time(f->arena, list, communicates ? 0 : f->seconds[op->id], communicates ? f->seconds[op->id] : 0);
}

static void fold_list(Fold *f, const NodeList *nodes, SceneList *list);

static void fold_loop(Fold *f, SceneList *list, const Node *node)
{
    SceneList body = {0};
    fold_list(f, &node->body, &body);
    const Affine *first = &node->loop.first, *last = &node->loop.last;
    bool timed = is_time(&body);
    if (timed && affine_is_constant(first) && affine_is_constant(last)) {
        int64_t trips = trips_of(node, first->constant, last->constant);
        if (trips > 0 && body.count > 0)
            add_trips(f->arena, list, body.data[0], trips);
        return;
    }
    Scene *scene = add_node(f, list, node);
    scene->body = body;
    scene->timed = timed;
}

static void fold_list(Fold *f, const NodeList *nodes, SceneList *list)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        switch (node->kind) {
        case NODE_OP:
            fold_op(f, list, node);
            break;
        case NODE_LOOP:
            fold_loop(f, list, node);
            break;
        case NODE_GUARD:
            fold_list(f, &node->body, &add_node(f, list, node)->body);
            break;
        case NODE_WAIT:
            add_node(f, list, node);
            break;
        }
    }
}

/* ---- Ranks -------------------------------------------------------------------------------------------------- */

typedef struct Post Post;
typedef struct Meeting Meeting;
typedef struct Rank Rank;

/* A communication that a rank has come to; or a copy, which is a meeting of one. It begins when those before it on its
 * stream, and those that the stream waits for, have ended. */
struct Post {
    Rank *rank;
    Meeting *meeting;
    Post *next;              /* in the meeting, or free */
    double come, begin, end; /* seconds; begin, end: once `held` */
    bool held;
    int refs;   /* of streams, events, a rank that waits and the meeting: who may still ask for it */
    int before; /* how many it still waits for */
    Vec(Post *) after;
};

/* Posts that belong together: those of a group, or both ends of a message; and how many of the same kind there were
 * before. */
struct Meeting {
    uint64_t kind;
    int64_t place, number;
    int needed, count;
    double seconds;
    Post *posts;
    Meeting *next;
};

/* How many meetings of a kind a rank has come to. */
typedef struct Counter {
    uint64_t kind;
    int64_t place, count;
} Counter;

/* What a communication is about, and the rank's counter of what is alike. */
typedef struct Topic {
    uint64_t kind;
    int64_t place;
    int needed; /* ranks; 0: not asked for yet */
    double seconds;
    int counter;
} Topic;

typedef struct Frame {
    const SceneList *list;
    int at;
    const Node *loop; /* NULL: none */
    int64_t value, last;
} Frame;

enum { MOST_DEPTH = 32, MOST_STREAMS = 8, MEETING_SLOTS = 4096, MOST_ASKED = 2 };

struct Rank {
    int64_t number, coordinates[STEP_MAX_AXES];
    int64_t *variables; /* by id of the loop */
    SceneList scenes;   /* that it runs */
    Frame frames[MOST_DEPTH];
    int depth;
    PlayTime time;                                     /* `end`: now */
    Post *blocked;                                     /* is waited for */
    Post **events;                                     /* by event and slot; NULL: nothing was started */
    Post *streams[MOST_STREAMS], *gates[MOST_STREAMS]; /* the last on each; what the next waits for as well */
    Vec(Counter) counters;
    /* Per scene, what stays the same while the rank runs: */
    int64_t (*fixed)[MOST_ASKED]; /* what is not of loops, of each expression */
    Topic *topics;                /* if no loop chooses the peer */
};

typedef struct Stage {
    Arena *arena;
    const Cluster *cluster;
    const Program *program;
    const double *seconds, *far;
    AxisMask played;
    Rank *ranks;
    int64_t rank_count;
    Meeting *meetings[MEETING_SLOTS];
    Post *free_posts;
    Meeting *free_meetings;
    Vec(Rank *) ready;
} Stage;

/* ---- Posts -------------------------------------------------------------------------------------------------- */

static Post *keep(Post *post)
{
    post->refs++;
    return post;
}

static void let_go(Stage *s, Post *post)
{
    if (post == NULL || --post->refs > 0)
        return;
    post->next = s->free_posts;
    s->free_posts = post;
}

static void put_in(Stage *s, Post **place, Post *post)
{
    Post *old = *place;
    *place = post != NULL ? keep(post) : NULL;
    let_go(s, old);
}

static Post *make_post(Stage *s, Rank *rank)
{
    Post *post = s->free_posts;
    if (post != NULL)
        s->free_posts = post->next;
    else
        post = arena_make(s->arena, Post);
    post->rank = rank;
    post->meeting = NULL;
    post->next = NULL;
    post->come = rank->time.end;
    post->begin = post->end = 0;
    post->held = false;
    post->refs = post->before = post->after.count = 0;
    return post;
}

static void wait_for(Stage *s, Post *post, Post *other)
{
    if (other == NULL)
        return;
    if (other->held) {
        post->come = fmax(post->come, other->end);
        return;
    }
    vec_push(s->arena, &other->after, keep(post));
    post->before++;
}

/* ---- Meetings ----------------------------------------------------------------------------------------------- */

static Meeting **slot_of(Stage *s, uint64_t kind, int64_t place, int64_t number)
{
    uint64_t hash = (kind * 0x9e3779b97f4a7c15u ^ (uint64_t)place) * 0x9e3779b97f4a7c15u ^ (uint64_t)number;
    hash *= 0x9e3779b97f4a7c15u;
    return &s->meetings[hash >> 52];
}

static Meeting *find_meeting(Stage *s, uint64_t kind, int64_t place, int64_t number)
{
    Meeting **slot = slot_of(s, kind, place, number);
    for (Meeting *m = *slot; m != NULL; m = m->next)
        if (m->kind == kind && m->place == place && m->number == number)
            return m;
    Meeting *made = s->free_meetings;
    if (made != NULL)
        s->free_meetings = made->next;
    else
        made = arena_make(s->arena, Meeting);
    *made = (Meeting){.kind = kind, .place = place, .number = number, .next = *slot};
    *slot = made;
    return made;
}

static void forget_meeting(Stage *s, Meeting *meeting)
{
    Meeting **at = slot_of(s, meeting->kind, meeting->place, meeting->number);
    while (*at != meeting)
        at = &(*at)->next;
    *at = meeting->next;
    meeting->next = s->free_meetings;
    s->free_meetings = meeting;
}

/* Everyone has come, and nothing before it is left. */
static bool may_be_held(const Meeting *meeting)
{
    if (meeting->count < meeting->needed)
        return false;
    for (const Post *post = meeting->posts; post != NULL; post = post->next)
        if (post->before > 0)
            return false;
    return true;
}

static void hold(Stage *s, Meeting *meeting)
{
    double begin = 0;
    for (Post *post = meeting->posts; post != NULL; post = post->next)
        begin = fmax(begin, post->come);
    for (Post *post = meeting->posts, *next; post != NULL; post = next) {
        next = post->next;
        post->held = true;
        post->begin = begin;
        post->end = begin + meeting->seconds;
        if (post->rank->blocked == post)
            vec_push(s->arena, &s->ready, post->rank);
        for (int i = 0; i < post->after.count; i++) {
            Post *later = post->after.data[i];
            later->come = fmax(later->come, post->end);
            if (--later->before == 0 && may_be_held(later->meeting))
                hold(s, later->meeting);
            let_go(s, later);
        }
        let_go(s, post);
    }
    forget_meeting(s, meeting);
}

/* ---- What operators meet at --------------------------------------------------------------------------------- */

static int64_t rank_number(const Decls *decls, const int64_t *coordinates)
{
    return walk_place(decls, ((AxisMask)1 << decls->axes.count) - 1, coordinates);
}

static bool is_message(const Op *op)
{
    return op->kind == OP_SEND || op->kind == OP_RECV;
}

static int find_counter(Stage *s, Rank *rank, uint64_t kind, int64_t place)
{
    for (int i = 0; i < rank->counters.count; i++)
        if (rank->counters.data[i].kind == kind && rank->counters.data[i].place == place)
            return i;
    vec_push(s->arena, &rank->counters, (Counter){.kind = kind, .place = place});
    return rank->counters.count - 1;
}

/* From the sender to the receiver, on their channel. */
static Topic topic_of_message(const Stage *s, const Rank *rank, const Op *op)
{
    const Decls *decls = s->program->decls;
    int axis = op->axes.axis[0];
    int64_t other[STEP_MAX_AXES];
    memcpy(other, rank->coordinates, sizeof other);
    other[axis] = affine_at(decls, &op->peer.coordinate, rank->coordinates, rank->variables);
    int64_t here = walk_place(decls, s->played, rank->coordinates), there = walk_place(decls, s->played, other);
    bool sends = op->kind == OP_SEND,
         crosses = cost_node(s->cluster, rank->number) != cost_node(s->cluster, rank_number(decls, other));
    return (Topic){.kind = 1 + 2 * ((uint64_t)op->peer.channel * STEP_MAX_AXES + (uint64_t)axis),
                   .place = sends ? here * s->rank_count + there : there * s->rank_count + here,
                   .needed = 2,
                   .seconds = crosses ? s->far[op->id] : s->seconds[op->id]};
}

static Topic topic_of_group(const Stage *s, const Rank *rank, const Op *op)
{
    AxisMask axes = axes_of(&op->axes) & s->played;
    Topic topic = {.kind = 2 * (uint64_t)axes, .needed = 1, .seconds = s->seconds[op->id]};
    topic.place = walk_place(s->program->decls, s->played & ~axes, rank->coordinates);
    for (int a = 0; a < s->program->decls->axes.count; a++)
        topic.needed *= axes >> a & 1 ? (int)s->program->decls->axes.data[a].size : 1;
    if (axes == 0) /* by itself */
        topic.kind = 2 * ((uint64_t)1 << STEP_MAX_AXES);
    return topic;
}

static Topic find_topic(Stage *s, Rank *rank, const Op *op)
{
    bool message = is_message(op) && (axes_of(&op->axes) & s->played) != 0;
    Topic topic = message ? topic_of_message(s, rank, op) : topic_of_group(s, rank, op);
    topic.counter = find_counter(s, rank, topic.kind, topic.place);
    return topic;
}

static bool asks_loops(const Affine *affine)
{
    for (int i = 0; i < affine->term_count; i++)
        if (affine->term[i].variable >= 0)
            return true;
    return false;
}

static Topic topic_of(Stage *s, Rank *rank, const Scene *scene)
{
    const Op *op = scene->node->op;
    if (is_message(op) && asks_loops(&op->peer.coordinate))
        return find_topic(s, rank, op);
    Topic *known = &rank->topics[scene->number];
    if (known->needed == 0)
        *known = find_topic(s, rank, op);
    return *known;
}

/* The rank comes to a communication, or starts a copy. */
static Post *come_to(Stage *s, Rank *rank, const Scene *scene)
{
    const Op *op = scene->node->op;
    const Topic topic = topic_of(s, rank, scene);
    Meeting *meeting = find_meeting(s, topic.kind, topic.place, rank->counters.data[topic.counter].count++);
    int stream = op->stream % MOST_STREAMS;
    Post *post = keep(make_post(s, rank));
    wait_for(s, post, rank->streams[stream]);
    wait_for(s, post, rank->gates[stream]);
    put_in(s, &rank->gates[stream], NULL);
    put_in(s, &rank->streams[stream], post);
    post->meeting = meeting;
    post->next = meeting->posts;
    meeting->posts = post;
    meeting->needed = topic.needed;
    meeting->seconds = fmax(meeting->seconds, topic.seconds);
    meeting->count++;
    return post;
}

/* ---- Expressions -------------------------------------------------------------------------------------------- */

/* Those of a node that ranks ask for, by number; NULL: it has no such. */
static const Affine *asked_of(const Node *node, int which)
{
    switch (node->kind) {
    case NODE_OP:
        return which == 0 ? &node->op->event_slot : NULL;
    case NODE_LOOP:
        return which == 0 ? &node->loop.first : &node->loop.last;
    case NODE_GUARD:
        return which == 0 ? &node->guard.value : NULL;
    case NODE_WAIT:
        return which == 0 ? &node->wait.slot : NULL;
    }
    BUG("a node of no kind");
}

static int64_t fixed_part(const Decls *decls, const Affine *affine, const int64_t *coordinates)
{
    int64_t value = affine->constant;
    for (int i = 0; i < affine->term_count; i++)
        if (affine->term[i].variable < 0)
            value += affine->term[i].coefficient * affine_variable_at(decls, affine->term[i].variable, coordinates);
    return value;
}

static void find_fixed(const Stage *s, Rank *rank, const SceneList *list)
{
    for (int i = 0; i < list->count; i++) {
        const Scene *scene = list->data[i];
        find_fixed(s, rank, &scene->body);
        for (int which = 0; scene->node != NULL && which < MOST_ASKED; which++) {
            const Affine *affine = asked_of(scene->node, which);
            if (affine != NULL)
                rank->fixed[scene->number][which] = fixed_part(s->program->decls, affine, rank->coordinates);
        }
    }
}

/* As affine_at, on this rank now. */
static int64_t value_of(const Rank *rank, const Scene *scene, int which)
{
    const Affine *affine = asked_of(scene->node, which);
    int64_t value = rank->fixed[scene->number][which];
    for (int i = 0; i < affine->term_count; i++)
        if (affine->term[i].variable >= 0)
            value += affine->term[i].coefficient * rank->variables[affine->term[i].variable];
    return affine_wrap(value, affine->modulus);
}

static bool passes(const Node *guard, int64_t value)
{
    return guard->guard.low <= value && value <= guard->guard.high;
}

/* ---- What a rank runs of it --------------------------------------------------------------------------------- */

static void add_own(Stage *s, const Rank *rank, const SceneList *list, SceneList *own);

static void add_copy(Stage *s, const Scene *scene, const SceneList *body, SceneList *own)
{
    Scene *copy = arena_make(s->arena, Scene);
    *copy = *scene;
    copy->body = *body;
    copy->timed = is_time(body);
    if (body->count > 0)
        vec_push(s->arena, own, copy);
}

static void add_own_guard(Stage *s, const Rank *rank, const Scene *scene, SceneList *own)
{
    SceneList body = {0};
    if (asks_loops(&scene->node->guard.value)) {
        add_own(s, rank, &scene->body, &body);
        add_copy(s, scene, &body, own);
    } else if (passes(scene->node, value_of(rank, scene, 0))) {
        add_own(s, rank, &scene->body, own);
    }
}

static void add_own_loop(Stage *s, const Rank *rank, const Scene *scene, SceneList *own)
{
    const Node *node = scene->node;
    SceneList body = {0};
    bool fixed = !asks_loops(&node->loop.first) && !asks_loops(&node->loop.last);
    int64_t trips = fixed ? trips_of(node, value_of(rank, scene, 0), value_of(rank, scene, 1)) : 1;
    if (trips > 0)
        add_own(s, rank, &scene->body, &body);
    if (fixed && body.count > 0 && is_time(&body))
        add_trips(s->arena, own, body.data[0], trips);
    else
        add_copy(s, scene, &body, own);
}

/* What its coordinates alone decide is decided once, not in each microbatch: with stages that differ most of the
 * program is of other ranks. */
static void add_own(Stage *s, const Rank *rank, const SceneList *list, SceneList *own)
{
    for (int i = 0; i < list->count; i++) {
        Scene *scene = list->data[i];
        if (scene->node == NULL) {
            add_time(s->arena, own, scene->computing, scene->communicating);
            continue;
        }
        switch (scene->node->kind) {
        case NODE_OP:
        case NODE_WAIT:
            vec_push(s->arena, own, scene);
            break;
        case NODE_LOOP:
            add_own_loop(s, rank, scene, own);
            break;
        case NODE_GUARD:
            add_own_guard(s, rank, scene, own);
            break;
        }
    }
}

/* ---- The walk ----------------------------------------------------------------------------------------------- */

static void push_list(Rank *rank, const SceneList *list, const Node *loop, int64_t value, int64_t last)
{
    if (rank->depth == MOST_DEPTH)
        BUG("a step program of more than %d lists in each other", MOST_DEPTH);
    rank->frames[rank->depth++] = (Frame){list, 0, loop, value, last};
    if (loop != NULL)
        rank->variables[loop->loop.id] = value;
}

/* Those in which something is done: of a loop around one guard, those that pass it. */
static TripRange busy_trips(Rank *rank, const Scene *scene, int64_t first, int64_t trips)
{
    const Scene *guard = scene->body.count == 1 ? scene->body.data[0] : NULL;
    if (guard == NULL || guard->node == NULL || guard->node->kind != NODE_GUARD)
        return (TripRange){0, trips - 1};
    rank->variables[scene->node->loop.id] = first;
    return walk_passing(guard->node, value_of(rank, guard, 0), scene->node, trips);
}

static void enter_loop(Rank *rank, const Scene *scene)
{
    const Node *node = scene->node;
    int64_t first = value_of(rank, scene, 0), last = value_of(rank, scene, 1);
    int64_t trips = trips_of(node, first, last);
    if (trips <= 0)
        return;
    if (!scene->timed) {
        TripRange busy = busy_trips(rank, scene, first, trips);
        if (busy.first <= busy.last)
            push_list(rank, &scene->body, node, first + busy.first * node->loop.step,
                      first + busy.last * node->loop.step);
    } else if (scene->body.count > 0) {
        const Scene *time = scene->body.data[0];
        rank->time.computing += (double)trips * time->computing;
        rank->time.communicating += (double)trips * time->communicating;
        rank->time.end += (double)trips * (time->computing + time->communicating);
    }
}

static void enter_guard(Rank *rank, const Scene *scene)
{
    if (passes(scene->node, value_of(rank, scene, 0)))
        push_list(rank, &scene->body, NULL, 0, 0);
}

/* The next iteration, or out of the list. */
static void leave_list(Rank *rank)
{
    Frame *frame = &rank->frames[rank->depth - 1];
    if (frame->loop == NULL || frame->value == frame->last) {
        rank->depth--;
        return;
    }
    frame->value += frame->loop->loop.step;
    rank->variables[frame->loop->loop.id] = frame->value;
    frame->at = 0;
}

static Post **event_of(Rank *rank, const Scene *scene, int event)
{
    return &rank->events[event_at(event, value_of(rank, scene, 0))];
}

/* The rank stands until the post has ended. */
static void stand(Stage *s, Rank *rank, Post *post)
{
    put_in(s, &rank->blocked, post);
    if (post->held)
        vec_push(s->arena, &s->ready, rank);
}

/* What was waited for has ended. */
static void go_on(Stage *s, Rank *rank)
{
    const Post *post = rank->blocked;
    PlayTime *time = &rank->time;
    double waited = fmax(0, post->begin - time->end);
    double ended = fmax(0, post->end - time->end);
    time->waiting += waited;
    time->communicating += ended - fmin(waited, ended);
    time->end += ended;
    put_in(s, &rank->blocked, NULL);
}

static void play_op(Stage *s, Rank *rank, const Scene *scene)
{
    const Op *op = scene->node->op;
    Post *post = keep(come_to(s, rank, scene));
    if (op->event >= 0)
        put_in(s, event_of(rank, scene, op->event), post);
    else
        put_in(s, &rank->blocked, post);
    if (may_be_held(post->meeting))
        hold(s, post->meeting);
    let_go(s, post);
}

static void play_wait(Stage *s, Rank *rank, const Scene *scene)
{
    const Node *node = scene->node;
    Post *post = *event_of(rank, scene, node->wait.event);
    if (post == NULL)
        return;
    if (node->wait.stream == 0)
        stand(s, rank, post);
    else
        put_in(s, &rank->gates[node->wait.stream % MOST_STREAMS], post);
}

static void play_scene(Stage *s, Rank *rank, const Scene *scene)
{
    const Node *node = scene->node;
    if (node == NULL) {
        rank->time.computing += scene->computing;
        rank->time.communicating += scene->communicating;
        rank->time.end += scene->computing + scene->communicating;
        return;
    }
    switch (node->kind) {
    case NODE_OP:
        play_op(s, rank, scene);
        return;
    case NODE_LOOP:
        enter_loop(rank, scene);
        return;
    case NODE_GUARD:
        enter_guard(rank, scene);
        return;
    case NODE_WAIT:
        play_wait(s, rank, scene);
        return;
    }
    BUG("a node of no kind");
}

/* Until it has to wait or is done. */
static void play_rank(Stage *s, Rank *rank)
{
    if (rank->blocked != NULL)
        go_on(s, rank);
    while (rank->depth > 0 && rank->blocked == NULL) {
        Frame *frame = &rank->frames[rank->depth - 1];
        if (frame->at < frame->list->count)
            play_scene(s, rank, frame->list->data[frame->at++]);
        else
            leave_list(rank);
    }
}

/* ---- The play ----------------------------------------------------------------------------------------------- */

static int64_t count_ranks(const Decls *decls, AxisMask axes)
{
    int64_t count = 1;
    for (int a = 0; a < decls->axes.count; a++)
        count *= axes >> a & 1 ? decls->axes.data[a].size : 1;
    return count;
}

static void set_up(Stage *s, const SceneList *scenes, int scene_count)
{
    int64_t coordinates[STEP_MAX_AXES] = {0};
    for (int64_t r = 0; r < s->rank_count; r++) {
        Rank *rank = &s->ranks[r];
        memcpy(rank->coordinates, coordinates, sizeof coordinates);
        rank->number = rank_number(s->program->decls, coordinates);
        rank->variables = arena_array(s->arena, int64_t, s->program->loop_count + 1);
        rank->events = arena_array(s->arena, Post *, event_at(s->program->event_count, 0) + 1);
        rank->fixed = arena_alloc(s->arena, sizeof *rank->fixed * (size_t)(scene_count + 1));
        rank->topics = arena_array(s->arena, Topic, scene_count + 1);
        find_fixed(s, rank, scenes);
        add_own(s, rank, scenes, &rank->scenes);
        push_list(rank, &rank->scenes, NULL, 0, 0);
        vec_push(s->arena, &s->ready, rank);
        walk_next_rank(s->program->decls, s->played, coordinates);
    }
}

static bool read_off(const Stage *s, Play *play)
{
    const Rank *busiest = &s->ranks[0];
    *play = (Play){0};
    for (int64_t r = 0; r < s->rank_count; r++) {
        const Rank *rank = &s->ranks[r];
        if (rank->depth > 0 || rank->blocked != NULL)
            return false;
        play->end = fmax(play->end, rank->time.end);
        busiest = rank->time.computing > busiest->time.computing ? rank : busiest;
    }
    play->busiest = busiest->time;
    memcpy(play->coordinates, busiest->coordinates, sizeof play->coordinates);
    return true;
}

bool play_run(const Cluster *cluster, const Program *program, const Routine *routine, const double *seconds,
              const double *far, Play *play)
{
    Arena *arena = arena_new();
    Stage *s = arena_make(arena, Stage);
    *s = (Stage){.arena = arena, .cluster = cluster, .program = program, .seconds = seconds, .far = far};
    s->played = walk_axes(program);
    s->rank_count = count_ranks(program->decls, s->played);
    s->ranks = arena_array(arena, Rank, s->rank_count);
    Fold fold = {.arena = arena, .program = program, .played = s->played, .seconds = seconds};
    SceneList scenes = {0};
    fold_list(&fold, &routine->body, &scenes);
    set_up(s, &scenes, fold.count);
    while (s->ready.count > 0)
        play_rank(s, s->ready.data[--s->ready.count]);
    bool done = read_off(s, play);
    arena_free(arena);
    return done;
}
