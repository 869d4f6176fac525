// Checks of a user's matrices. Each throws a ModelError that names the matrix, the entry and the rule.
#pragma once

#include "masing/core/types.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace masing::detail {

void check_square(std::string_view name, const SparseMatrix& matrix);
void check_size(std::string_view name, const SparseMatrix& matrix, Index size);

/// Finite entries and A = Aᵀ.
void check_symmetric(std::string_view name, const SparseMatrix& matrix, const std::vector<std::string>& coordinates);

enum class Definiteness { definite, semi_definite };

/// xᵀAx >= 0 for all x, up to rounding. Reports whether some motion has xᵀAx = 0.
Definiteness check_semi_definite(std::string_view name, const SparseMatrix& matrix,
                                 const std::vector<std::string>& coordinates);

/// 1/sqrt(a_ii), and 1 where a_ii = 0: makes entries of different units comparable.
Vector diagonal_scaling(const Vector& diagonal);

/// diag(s) A diag(s)
SparseMatrix scaled(const SparseMatrix& matrix, const Vector& scaling);

}  // namespace masing::detail
