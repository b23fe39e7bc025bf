(** The formulas of registered bounds, each under the name of its Python function, for
    [Numbers.v], which is generated: there every formula is evaluated at the numbers that
    the code returns. What is said of a formula is its side condition, not its rounding. *)
From Coq Require Import Reals.
Open Scope R_scope.

(** tacit.bounds.upper.selection.realizable: the chance to release a wrong rule. *)
Definition realizable_failure (size alpha rho rate : R) (n : nat) : R :=
  (size - 1) * (1 - alpha * (1 - exp (- rate)) + rho * (exp rate - 1)) ^ n.

(** tacit.bounds.upper.selection.agnostic, [gain = alpha - rho]. *)
Definition agnostic_failure (size gain rate : R) (n : nat) : R :=
  (size - 1) * ((1 + gain) / 2 * exp (- rate) + (1 - gain) / 2 * exp rate) ^ n.

(** tacit.bounds.upper.conversions.to_empirical: the epsilon of [draws] from [records]. *)
Definition resampled_epsilon (epsilon draws records : R) : R :=
  draws * ln (1 + (exp epsilon - 1) / records).

(** tacit.bounds.upper.conversions.to_pac, realizable, VC dimension [vc]. *)
Definition to_pac_failure (vc alpha k records : R) : R :=
  4 * k * exp (vc * (1 + ln (2 * records / vc)) - alpha / 16 * records).

(** tacit.bounds.upper.histograms.frequent_gap, interior_point_upper.pure: the chance that
    a lead is not enough. *)
Definition lead_failure (wrong rate lead : R) : R :=
  wrong * exp (- (rate * lead)) / (1 + wrong * exp (- (rate * lead))).

(** Geometric noise of scale [1 / rate] reaches [t >= 1]. *)
Definition noise_tail (rate t : R) : R := exp (- (rate * t)) / (1 + exp (- rate)).

(** tacit.problems.reals.covers_upper.theorem_8 and theorem_9. *)
Definition theorem_8_sampling (d kappa alpha beta : R) : R :=
  8 / (alpha * alpha) * (d * ln (16 * kappa / alpha) + ln (4 / beta)).
Definition theorem_8_privacy (d kappa alpha beta epsilon : R) : R :=
  8 / (epsilon * alpha) * (d * ln (16 * kappa / alpha) + ln (2 / beta)).
Definition theorem_9_sampling (d kappa alpha beta : R) : R :=
  200 / alpha * (d * ln (16 * kappa / alpha) + ln (4 / beta)).
Definition theorem_9_comparator (alpha beta : R) : R := 4 / alpha * ln (4 / beta).
Definition theorem_9_privacy (d kappa alpha beta epsilon : R) : R :=
  40 / (3 * epsilon * alpha) * (d * ln (16 * kappa / alpha) + ln (2 / beta)).

(** tacit.bounds.upper.generalization. *)
Definition without_privacy_confidence (alpha beta : R) : R := 4 / alpha * (ln (2 / beta) / ln 2).
Definition without_privacy_dimension (vc alpha : R) : R := 8 * vc / alpha * (ln (13 / alpha) / ln 2).
Definition realizable_convergence (vc alpha beta : R) : R :=
  64 / alpha * (vc * ln (64 / alpha) + ln (8 / beta)).
Definition agnostic_convergence (vc alpha beta : R) : R :=
  64 / (alpha * alpha) * (vc * ln (6 / alpha) + ln (8 / beta)).

(** tacit.bounds.upper.occam: failure of the comparator bounds at error [alpha], excess [g]. *)
Definition realizable_error_failure (prior rate alpha : R) (n : nat) : R :=
  / prior * (1 - alpha * (1 - exp (- rate))) ^ n.
Definition agnostic_excess_failure (prior rate g : R) (n : nat) : R :=
  / prior * ((exp rate + exp (- rate)) / 2 - g * ((exp rate - exp (- rate)) / 2)) ^ n.

(** tacit.bounds.lower.packing.everything: the least probability of a good answer. *)
Definition kept (beta epsilon records : R) : R := (1 - beta) * exp (- (epsilon * records)).

(** tacit.theory.online.hedge.mistake_bound. *)
Definition mistakes_of_hedge (experts wrong : R) : R :=
  ln experts / (ln 2 + wrong * ln wrong + (1 - wrong) * ln (1 - wrong)).

(** tacit.mechanisms.calibration.star_rate. *)
Definition star_loss (rate inner : R) : R := rate * (exp inner - 1).
