/* SPDX-License-Identifier: MIT */
#include "mcp/queue.h"

#include "mcp/message.h"

#include <stdlib.h>

#define BYTES_MAX ((size_t)32 << 20)
enum { IDS_MAX = 1000, MESSAGE_BYTES = 512 /* of a parsed message, besides its texts */ };
static const char cancelled[] = " cancelled"; /* no key of a message that means anything */

struct tw_mcp_waiting {
    struct tw_mcp_waiting *next;
    json_t *message;
    size_t bytes;
};

bool tw_mcp_queue_create(struct tw_mcp_queue *queue)
{
    *queue = (struct tw_mcp_queue){.ids = json_array()};
    if (uv_mutex_init(&queue->lock) != 0)
        return false;
    if (uv_cond_init(&queue->changed) == 0)
        return true;
    uv_mutex_destroy(&queue->lock);
    return false;
}

static struct tw_mcp_waiting *unlink_first(struct tw_mcp_queue *queue)
{
    struct tw_mcp_waiting *waiting = queue->first;
    queue->first = waiting->next;
    queue->last = queue->first ? queue->last : NULL;
    queue->bytes -= waiting->bytes;
    return waiting;
}

void tw_mcp_queue_release(struct tw_mcp_queue *queue)
{
    while (queue->first) {
        struct tw_mcp_waiting *waiting = unlink_first(queue);
        json_decref(waiting->message);
        free(waiting);
    }
    json_decref(queue->line);
    json_decref(queue->ids);
    uv_cond_destroy(&queue->changed);
    uv_mutex_destroy(&queue->lock);
}

bool tw_mcp_queue_add(struct tw_mcp_queue *queue, json_t *message, size_t bytes)
{
    struct tw_mcp_waiting *waiting = malloc(sizeof *waiting);
    if (!waiting) {
        json_decref(message);
        return false;
    }
    bytes += MESSAGE_BYTES * (1 + json_array_size(message));
    *waiting = (struct tw_mcp_waiting){.message = message, .bytes = bytes};
    uv_mutex_lock(&queue->lock);
    while (queue->first && queue->bytes + bytes > BYTES_MAX)
        uv_cond_wait(&queue->changed, &queue->lock);
    *(queue->last ? &queue->last->next : &queue->first) = waiting;
    queue->last = waiting;
    queue->bytes += bytes;
    uv_cond_broadcast(&queue->changed);
    uv_mutex_unlock(&queue->lock);
    return true;
}

void tw_mcp_queue_end(struct tw_mcp_queue *queue)
{
    uv_mutex_lock(&queue->lock);
    queue->ended = true;
    uv_cond_broadcast(&queue->changed);
    uv_mutex_unlock(&queue->lock);
}

/* Marks the requests of a message that have the id. */
static void mark(json_t *message, const json_t *id)
{
    if (json_equal(tw_mcp_id_of(message), id))
        json_object_set_new(message, cancelled, json_true());
    for (size_t i = 0; i < json_array_size(message); i++)
        if (json_equal(tw_mcp_id_of(json_array_get(message, i)), id))
            json_object_set_new(json_array_get(message, i), cancelled, json_true());
}

/* What was taken is read by the other thread, so its ids are listed instead. */
void tw_mcp_queue_cancel(struct tw_mcp_queue *queue, const json_t *id, void (*stop)(void *context),
                         void *context)
{
    uv_mutex_lock(&queue->lock);
    for (struct tw_mcp_waiting *waiting = queue->first; waiting; waiting = waiting->next)
        mark(waiting->message, id);
    if (queue->line && json_array_size(queue->ids) < IDS_MAX)
        json_array_append_new(queue->ids, json_deep_copy(id));
    if (queue->under_way && json_equal(queue->under_way, id) && !queue->cancelled) {
        queue->cancelled = true;
        stop(context);
    }
    uv_mutex_unlock(&queue->lock);
}

const json_t *tw_mcp_queue_take(struct tw_mcp_queue *queue)
{
    uv_mutex_lock(&queue->lock);
    json_decref(queue->line);
    queue->line = NULL;
    json_array_clear(queue->ids);
    while (!queue->first && !queue->ended)
        uv_cond_wait(&queue->changed, &queue->lock);
    struct tw_mcp_waiting *waiting = queue->first ? unlink_first(queue) : NULL;
    if (waiting)
        queue->line = waiting->message;
    uv_cond_broadcast(&queue->changed);
    uv_mutex_unlock(&queue->lock);
    free(waiting);
    return queue->line;
}

static bool is_cancelled(const struct tw_mcp_queue *queue, const json_t *request)
{
    if (tw_mcp_has_method(request, "initialize"))
        return false;
    for (size_t i = 0; i < json_array_size(queue->ids); i++)
        if (json_equal(json_array_get(queue->ids, i), tw_mcp_id_of(request)))
            return true;
    return json_object_get(request, cancelled) != NULL;
}

bool tw_mcp_queue_begin(struct tw_mcp_queue *queue, const json_t *request,
                        void (*start)(void *context), void *context)
{
    uv_mutex_lock(&queue->lock);
    const bool goes_on = !is_cancelled(queue, request);
    queue->cancelled = false;
    if (goes_on)
        start(context);
    queue->under_way =
        goes_on && !tw_mcp_has_method(request, "initialize") ? tw_mcp_id_of(request) : NULL;
    uv_mutex_unlock(&queue->lock);
    return goes_on;
}

bool tw_mcp_queue_finish(struct tw_mcp_queue *queue)
{
    uv_mutex_lock(&queue->lock);
    const bool goes_on = !queue->cancelled;
    queue->under_way = NULL;
    uv_mutex_unlock(&queue->lock);
    return goes_on;
}
