/* SPDX-License-Identifier: MIT */
/* Messages that wait for an answer, between the thread that reads them and the one that answers. A
 * message is an object, or an array of them. */
#ifndef TW_ENGINE_MCP_QUEUE_H
#define TW_ENGINE_MCP_QUEUE_H

#include <jansson.h>
#include <stdbool.h>
#include <uv.h>

struct tw_mcp_queue {
    uv_mutex_t lock;
    uv_cond_t changed;
    struct tw_mcp_waiting *first, *last;
    size_t bytes; /* that those which wait take, about */
    bool ended;
    json_t *line;      /* what was taken last: the message or the batch */
    json_t *ids;       /* that were cancelled since then */
    json_t *under_way; /* the id of the request that is being answered; NULL: none */
    bool cancelled;    /* that request was cancelled */
};

bool tw_mcp_queue_create(struct tw_mcp_queue *queue);
void tw_mcp_queue_release(struct tw_mcp_queue *queue);

/* The reader's: adds a message, which came in so many bytes, and takes its reference. Waits while
 * too many bytes wait. False when out of memory. */
bool tw_mcp_queue_add(struct tw_mcp_queue *queue, json_t *message, size_t bytes);
void tw_mcp_queue_end(struct tw_mcp_queue *queue);
/* The reader's: cancels the request with this id; calls `stop` if it is under way. */
void tw_mcp_queue_cancel(struct tw_mcp_queue *queue, const json_t *id, void (*stop)(void *context),
                         void *context);

/* Waits for a message and lends it until the next call; NULL at the end. */
const json_t *tw_mcp_queue_take(struct tw_mcp_queue *queue);
/* Begins a request of the message that was taken; false if it was cancelled. `start` is called
 * before it can be cancelled. */
bool tw_mcp_queue_begin(struct tw_mcp_queue *queue, const json_t *request,
                        void (*start)(void *context), void *context);
/* Ends it; false if it was cancelled meanwhile. */
bool tw_mcp_queue_finish(struct tw_mcp_queue *queue);

#endif
