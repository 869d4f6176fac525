#include "masing/solve/newton.hpp"

#include "masing/core/error.hpp"
#include "masing/solve/detail/row_scaled_lu.hpp"

#include <kinsol/kinsol.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <exception>
#include <limits>

namespace masing {

std::string_view to_string(NewtonStop stop) {
  switch (stop) {
    case NewtonStop::not_run:
      return "not run";
    case NewtonStop::converged:
      return "converged";
    case NewtonStop::max_iterations:
      return "too many iterations";
    case NewtonStop::stagnated:
      return "stagnated";
    case NewtonStop::line_search_failed:
      return "line search failed";
    case NewtonStop::diverged:
      return "diverged";
    case NewtonStop::singular_jacobian:
      return "singular Jacobian";
    case NewtonStop::residual_failed:
      return "residual not finite";
    case NewtonStop::internal:
      return "internal error";
  }
  return "unknown";
}

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Steps are limited to this many times the size of the unknowns.
constexpr double longest_step = 1e6;

/// An old Jacobian is replaced when the residual shrinks by less than this factor in an iteration.
constexpr double slowest_chord = 0.5;

/// What KINSOL's C callbacks see: the system of the present solve and all memory of the solver.
struct Workspace {
  explicit Workspace(Index size)
      : lu(size),
        x(Vector::Zero(size)),
        r(Vector::Zero(size)),
        unknown_weight(Vector::Ones(size)),
        residual_weight(Vector::Ones(size)) {}

  NonlinearSystem* system = nullptr;
  detail::RowScaledLu lu;
  Vector x, r;
  Vector unknown_weight, residual_weight;  // 1 / scale
  double residual = nan;                   // of the last evaluation
  bool singular = false;
  bool factored = false;  // in this solve
  int residual_evaluations = 0;
  int jacobian_evaluations = 0;
  std::exception_ptr exception;

  /// max |r_i / scale_i|, NaN unless all entries are finite.
  double evaluate(const Eigen::Ref<const Vector>& at) {
    x = at;
    ++residual_evaluations;
    residual = nan;
    system->residual(x, r);
    if (r.allFinite()) residual = r.cwiseProduct(residual_weight).lpNorm<Eigen::Infinity>();
    return residual;
  }
};

Workspace& workspace_of(void* data) { return *static_cast<Workspace*>(data); }

Eigen::Map<Vector> view(N_Vector v) { return {N_VGetArrayPointer(v), N_VGetLength(v)}; }

// --- KINSOL's callbacks: 0 done, > 0 try a shorter step, < 0 stop ----------------------------------------------------

int evaluate_residual(N_Vector x, N_Vector r, void* data) {
  Workspace& work = workspace_of(data);
  try {
    if (std::isnan(work.evaluate(view(x)))) return 1;
    view(r) = work.r;
    return 0;
  } catch (...) {
    work.exception = std::current_exception();
    return -1;
  }
}

int evaluate_jacobian(N_Vector x, N_Vector, SUNMatrix, void* data, N_Vector, N_Vector) {
  Workspace& work = workspace_of(data);
  try {
    work.x = view(x);
    ++work.jacobian_evaluations;
    work.system->jacobian(work.x, work.lu.matrix());
    return 0;
  } catch (...) {
    work.exception = std::current_exception();
    return -1;
  }
}

void ignore_error(int, const char*, const char*, char*, void*) {}
void ignore_info(const char*, const char*, char*, void*) {}

// --- the Eigen-backed SUNMatrix and SUNLinearSolver: both stand for Workspace::lu ------------------------------------

SUNMatrix_ID matrix_id(SUNMatrix) { return SUNMATRIX_CUSTOM; }
int matrix_zero(SUNMatrix) { return SUNMAT_SUCCESS; }  // the Jacobian fills every entry
SUNLinearSolver_Type solver_type(SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; }
SUNLinearSolver_ID solver_id(SUNLinearSolver) { return SUNLINEARSOLVER_CUSTOM; }

int factor(SUNLinearSolver solver, SUNMatrix) {
  Workspace& work = workspace_of(solver->content);
  work.singular = !work.lu.factor(work.residual_weight);
  work.factored = !work.singular;
  return work.singular ? SUNLS_LUFACT_FAIL : SUNLS_SUCCESS;
}

int substitute(SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, realtype) {
  Workspace& work = workspace_of(solver->content);
  work.lu.solve(view(b), view(x));
  work.singular = !view(x).allFinite();
  return work.singular ? SUNLS_PACKAGE_FAIL_REC : SUNLS_SUCCESS;
}

// --- owners of KINSOL's handles --------------------------------------------------------------------------------------

struct FreeContext {
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
struct FreeVector {
  void operator()(N_Vector v) const { N_VDestroy(v); }
};
struct FreeMatrix {
  void operator()(SUNMatrix m) const { SUNMatFreeEmpty(m); }
};
struct FreeSolver {
  void operator()(SUNLinearSolver s) const { SUNLinSolFreeEmpty(s); }
};
struct FreeKinsol {
  void operator()(void* memory) const { KINFree(&memory); }
};

template <class Handle, class Free>
using Owner = std::unique_ptr<std::remove_pointer_t<Handle>, Free>;

void expect_success(int flag, const char* call) {
  if (flag == KIN_SUCCESS) return;
  char* name = KINGetReturnFlagName(flag);
  const std::string text = name;
  std::free(name);
  throw NumericalError(fmt::format("KINSOL: {} returned {}.", call, text));
}

SUNContext new_context() {
  SUNContext context = nullptr;
  if (SUNContext_Create(nullptr, &context) != 0) throw NumericalError("KINSOL: SUNContext_Create failed.");
  return context;
}

SUNMatrix new_matrix(SUNContext context) {
  SUNMatrix matrix = SUNMatNewEmpty(context);
  matrix->ops->getid = matrix_id;
  matrix->ops->zero = matrix_zero;
  return matrix;
}

SUNLinearSolver new_linear_solver(SUNContext context, Workspace& work) {
  SUNLinearSolver solver = SUNLinSolNewEmpty(context);
  solver->content = &work;
  solver->ops->gettype = solver_type;
  solver->ops->getid = solver_id;
  solver->ops->setup = factor;
  solver->ops->solve = substitute;
  return solver;
}

void require_valid(Index size, const NewtonOptions& options) {
  require(size >= 1, "Newton's method: the number of unknowns is {} but must be >= 1.", size);
  require(options.residual_tolerance > 0.0 && options.residual_tolerance < 1.0,
          "Newton's method: residual_tolerance = {} must be in (0, 1).", options.residual_tolerance);
  require(options.step_tolerance > 0.0 && options.step_tolerance < 1.0,
          "Newton's method: step_tolerance = {} must be in (0, 1).", options.step_tolerance);
  require(options.max_iterations >= 1, "Newton's method: max_iterations = {} must be >= 1.", options.max_iterations);
  require(options.jacobian_every >= 1, "Newton's method: jacobian_every = {} must be >= 1.", options.jacobian_every);
}

}  // namespace

struct NewtonSolver::Implementation {
  NewtonOptions options;
  Workspace work;
  Owner<SUNContext, FreeContext> context;
  Owner<N_Vector, FreeVector> x, unknown_weight, residual_weight;  // views of memory that Eigen owns
  Owner<SUNMatrix, FreeMatrix> matrix;
  Owner<SUNLinearSolver, FreeSolver> linear_solver;
  Owner<void*, FreeKinsol> kinsol;

  Implementation(Index size, const NewtonOptions& chosen)
      : options(chosen),
        work(size),
        context(new_context()),
        x(N_VMake_Serial(size, work.x.data(), context.get())),
        unknown_weight(N_VMake_Serial(size, work.unknown_weight.data(), context.get())),
        residual_weight(N_VMake_Serial(size, work.residual_weight.data(), context.get())),
        matrix(new_matrix(context.get())),
        linear_solver(new_linear_solver(context.get(), work)),
        kinsol(KINCreate(context.get())) {
    void* memory = kinsol.get();
    expect_success(KINSetErrHandlerFn(memory, ignore_error, nullptr), "KINSetErrHandlerFn");
    expect_success(KINSetInfoHandlerFn(memory, ignore_info, nullptr), "KINSetInfoHandlerFn");
    expect_success(KINSetUserData(memory, &work), "KINSetUserData");
    expect_success(KINSetNumMaxIters(memory, options.max_iterations), "KINSetNumMaxIters");
    expect_success(KINSetFuncNormTol(memory, options.residual_tolerance), "KINSetFuncNormTol");
    expect_success(KINSetScaledStepTol(memory, options.step_tolerance), "KINSetScaledStepTol");
    expect_success(KINSetMaxSetupCalls(memory, options.jacobian_every), "KINSetMaxSetupCalls");
    expect_success(KINSetMaxSubSetupCalls(memory, 1), "KINSetMaxSubSetupCalls");
    expect_success(KINSetResMonConstValue(memory, slowest_chord), "KINSetResMonConstValue");
    expect_success(KINInit(memory, evaluate_residual, x.get()), "KINInit");
    expect_success(KINSetLinearSolver(memory, linear_solver.get(), matrix.get()), "KINSetLinearSolver");
    expect_success(KINSetJacFn(memory, evaluate_jacobian), "KINSetJacFn");
  }

  void prepare(NonlinearSystem& system, Vector& unknowns, const Scaling& scaling) {
    work.system = &system;
    work.exception = nullptr;
    work.singular = work.factored = false;
    work.residual_evaluations = work.jacobian_evaluations = 0;
    work.unknown_weight = scaling.unknown.cwiseInverse();
    work.residual_weight = scaling.residual.cwiseInverse();
    N_VSetArrayPointer(unknowns.data(), x.get());
    const double size_of_unknowns =
        std::sqrt(static_cast<double>(unknowns.size())) + unknowns.cwiseProduct(work.unknown_weight).norm();
    expect_success(KINSetMaxNewtonStep(kinsol.get(), longest_step * size_of_unknowns), "KINSetMaxNewtonStep");
  }

  /// KINSOL's flags in our words. Positive flags are not all successes: KIN_STEP_LT_STPTOL is +2.
  NewtonStop translate(int flag) const {
    switch (flag) {
      case KIN_SUCCESS:
      case KIN_INITIAL_GUESS_OK:
        return NewtonStop::converged;
      case KIN_STEP_LT_STPTOL:
        return NewtonStop::stagnated;
      case KIN_LINESEARCH_NONCONV:
      case KIN_LINESEARCH_BCFAIL:
        return NewtonStop::line_search_failed;
      case KIN_MAXITER_REACHED:
        return NewtonStop::max_iterations;
      case KIN_MXNEWT_5X_EXCEEDED:
        return NewtonStop::diverged;
      case KIN_SYSFUNC_FAIL:
      case KIN_FIRST_SYSFUNC_ERR:
      case KIN_REPTD_SYSFUNC_ERR:
        return NewtonStop::residual_failed;
      case KIN_LSETUP_FAIL:
      case KIN_LSOLVE_FAIL:
      case KIN_LINSOLV_NO_RECOVERY:
        return work.singular ? NewtonStop::singular_jacobian : NewtonStop::internal;
      case KIN_WARNING:
      case KIN_MEM_NULL:
      case KIN_ILL_INPUT:
      case KIN_NO_MALLOC:
      case KIN_MEM_FAIL:
      case KIN_LINIT_FAIL:
      case KIN_VECTOROP_ERR:
      case KIN_CONTEXT_ERR:
        return NewtonStop::internal;
      default:
        return NewtonStop::internal;
    }
  }

  NewtonSummary summarise(int flag, const Vector& unknowns) {
    NewtonSummary summary;
    summary.stop = translate(flag);
    long iterations = 0;
    KINGetNumNonlinSolvIters(kinsol.get(), &iterations);
    // The last evaluation of a failed solve may have been a trial that was not accepted.
    summary.residual = summary.converged() ? work.residual : work.evaluate(unknowns);
    const bool gave_up = summary.stop == NewtonStop::stagnated || summary.stop == NewtonStop::line_search_failed ||
                         summary.stop == NewtonStop::max_iterations;
    if (gave_up && summary.residual <= options.residual_tolerance) summary.stop = NewtonStop::converged;
    summary.iterations = static_cast<int>(iterations);
    summary.residual_evaluations = work.residual_evaluations;
    summary.jacobian_evaluations = work.jacobian_evaluations;
    summary.message = describe(summary, flag);
    return summary;
  }

  std::string describe(const NewtonSummary& summary, int flag) const {
    const auto text = [&](std::string_view what) {
      return fmt::format("Newton's method {} after {} iterations: residual {:.1e} (tolerance {:.1e}).", what,
                         summary.iterations, summary.residual, options.residual_tolerance);
    };
    switch (summary.stop) {
      case NewtonStop::not_run:
        break;
      case NewtonStop::converged:
        return text("converged");
      case NewtonStop::max_iterations:
        return text("reached its limit");
      case NewtonStop::stagnated:
        return text(fmt::format("stagnated (steps below {:.1e})", options.step_tolerance));
      case NewtonStop::line_search_failed:
        return text("found no step that reduces the residual");
      case NewtonStop::diverged:
        return text(fmt::format("diverged (five steps beyond {:.0e} times the unknowns)", longest_step));
      case NewtonStop::singular_jacobian:
        return text("met a singular Jacobian");
      case NewtonStop::residual_failed:
        return text("met a residual that is not finite");
      case NewtonStop::internal:
        return text(fmt::format("was stopped by KINSOL (flag {})", flag));
    }
    return summary.message;
  }
};

NewtonSolver::NewtonSolver(Index size, NewtonOptions options) {
  require_valid(size, options);
  implementation_ = std::make_unique<Implementation>(size, options);
}

NewtonSolver::~NewtonSolver() = default;
NewtonSolver::NewtonSolver(NewtonSolver&&) noexcept = default;
NewtonSolver& NewtonSolver::operator=(NewtonSolver&&) noexcept = default;

const NewtonOptions& NewtonSolver::options() const { return implementation_->options; }

NewtonSummary NewtonSolver::solve(NonlinearSystem& system, Vector& x, const Scaling& scaling) {
  Implementation& my = *implementation_;
  assert(system.size() == my.work.x.size() && x.size() == system.size());
  assert(scaling.unknown.size() == x.size() && scaling.residual.size() == x.size());
  assert(scaling.unknown.minCoeff() > 0.0 && scaling.residual.minCoeff() > 0.0);
  my.prepare(system, x, scaling);
  const int strategy = my.options.line_search ? KIN_LINESEARCH : KIN_NONE;
  const int flag = KINSol(my.kinsol.get(), my.x.get(), strategy, my.unknown_weight.get(), my.residual_weight.get());
  if (my.work.exception) std::rethrow_exception(std::exchange(my.work.exception, nullptr));
  return my.summarise(flag, x);
}

bool NewtonSolver::has_factors() const { return implementation_->work.factored; }

void NewtonSolver::solve_with_factors(const Vector& b, Vector& x) {
  x.resize(b.size());
  implementation_->work.lu.solve(b, x);
}

int NewtonSolver::factors_determinant_sign() const { return implementation_->work.lu.determinant_sign(); }

}  // namespace masing
