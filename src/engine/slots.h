// SPDX-License-Identifier: MIT
// How lists of tensors are made. Inside the engine only; network_slots is in model.h.
#pragma once

#include "engine/model.h"

struct slot_list {
    struct tensor_slot *slots; // (MODEL_MAX_TENSORS)
    int count;
};

void slot_matrix(struct slot_list *list, const char *name, int rows, int cols,
                 struct tensor *tensor);
void slot_vector(struct slot_list *list, const char *name, int rows,
                 struct tensor *tensor);
// A vector that the file has as a matrix of one row.
void slot_row(struct slot_list *list, const char *name, int cols, struct tensor *tensor);
// A linear map: its weight (rows, cols) and, if it has one, its bias.
void slot_linear(struct slot_list *list, const char *name, int rows, int cols,
                 struct tensor *weight, struct tensor *bias);
// The weight and bias of a layer norm.
void slot_norm(struct slot_list *list, const char *name, int rows, struct linear *norm);

void transformer_slots(struct slot_list *list, struct network *network);
