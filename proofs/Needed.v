(** The rates of selection cannot be higher (tacit.mechanisms.calibration.spread): with two rules
    that always disagree, one unit of spread less is not private, whatever epsilon is. *)
From Coq Require Import Reals Lra List Bool Lia.
From Tacit Require Import Sums Definitions Selection.
Import ListNotations.
Open Scope R_scope.

(** Records have a label and nothing else; the rules are the two constants. *)
Definition constant (h : bool) (_ : unit) : bool := h.
Definition votes (rate : R) : mechanism (list (unit * bool)) bool :=
  exponential bool_dec [true; false] (mistake_score constant) rate.

(** The rule that makes [lead] mistakes more. *)
Lemma votes_false rate S f lead :
  mistakes (constant true) S = f -> mistakes (constant false) S = (f + lead)%nat ->
  votes rate S false = exp (- rate * INR lead) / (1 + exp (- rate * INR lead)).
Proof.
  intros Ht Hf. unfold votes, exponential. destruct (in_dec _ _ _) as [_|N]; [|destruct N; simpl; auto].
  unfold total, weight, mistake_score. rewrite !sum_cons, sum_nil, Ht, Hf, plus_INR, Rplus_0_r.
  rewrite Rmult_plus_distr_l, exp_plus.
  pose proof (exp_pos (- rate * INR f)). pose proof (exp_pos (- rate * INR lead)).
  field. split; [lra|]. assert (0 < exp (- rate * INR f) * exp (- rate * INR lead)) by now apply Rmult_lt_0_compat. nra.
Qed.

(** Both sides of what follows, with [y] for [exp (- epsilon)]. *)
Lemma too_far y : 0 < y < 1 -> y ^ 2 / (1 + y ^ 2) <= / y * (y ^ 4 / (1 + y ^ 4)) -> False.
Proof.
  intros Hy H. assert (H2 : 0 < y ^ 2) by (apply pow_lt; lra). assert (H4 : 0 < y ^ 4) by (apply pow_lt; lra).
  apply (Rmult_le_compat_r ((1 + y ^ 2) * (1 + y ^ 4))) in H; [|apply Rmult_le_pos; lra].
  replace (y ^ 2 / (1 + y ^ 2) * ((1 + y ^ 2) * (1 + y ^ 4))) with (y ^ 2 * (1 + y ^ 4)) in H by (field; lra).
  replace (/ y * (y ^ 4 / (1 + y ^ 4)) * ((1 + y ^ 2) * (1 + y ^ 4))) with (y ^ 2 * (y * (1 + y ^ 2))) in H
    by (field; lra).
  apply Rmult_le_reg_l in H; [|assumption].
  assert (y ^ 3 < 1). { apply Rlt_le_trans with (1 ^ 3); [|lra]. simpl. nra. }
  assert (0 < (1 - y) * (1 - y ^ 3)) by (apply Rmult_lt_0_compat; lra). simpl in *. lra.
Qed.

Lemma y_bounds epsilon : 0 < epsilon -> 0 < exp (- epsilon) < 1.
Proof. intros H. split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing. lra. Qed.

Lemma y_power epsilon n : exp (- epsilon * INR n) = exp (- epsilon) ^ n.
Proof.
  induction n as [|n IH]; [simpl; rewrite Rmult_0_r; apply exp_0|].
  rewrite S_INR. cbn [pow]. rewrite <- IH, <- exp_plus. f_equal. ring.
Qed.

Lemma inverse epsilon : exp epsilon = / exp (- epsilon).
Proof. rewrite exp_Ropp. now rewrite Rinv_inv. Qed.

(** A changed label moves the two numbers of mistakes apart by 2: rate [epsilon] is too high. *)
(* code: tacit.mechanisms.selection.Exponential
   0 < epsilon <- check positive(epsilon) in tacit.mechanisms.selection._Select *)
Theorem rate_is_needed_label epsilon : 0 < epsilon -> ~ pure label epsilon (votes epsilon).
Proof.
  intros He H. pose proof (y_bounds epsilon He) as Hy.
  set (S' := repeat (tt, true) 4). set (S := (tt, false) :: repeat (tt, true) 3).
  assert (N : label S S') by (exists [], tt, false, true, (repeat (tt, true) 3); auto).
  specialize (H S S' N false).
  rewrite (votes_false epsilon S 1 2), (votes_false epsilon S' 0 4), (inverse epsilon) in H by reflexivity.
  rewrite !y_power in H. exact (too_far _ Hy H).
Qed.

(* code: tacit.mechanisms.selection.Exponential
   0 < epsilon <- check positive(epsilon) in tacit.mechanisms.selection._Select *)
Theorem rate_is_needed_replace_one epsilon : 0 < epsilon -> ~ pure replace_one epsilon (votes epsilon).
Proof.
  intros He H. apply (rate_is_needed_label epsilon He). intros S S' Hn. apply H. now apply label_is_replace_one.
Qed.

(** A record that comes moves them apart by 1: rate [2 * epsilon] is too high. *)
(* code: tacit.mechanisms.selection.Exponential
   0 < epsilon <- check positive(epsilon) in tacit.mechanisms.selection._Select *)
Theorem rate_is_needed_add_remove epsilon : 0 < epsilon -> ~ pure add_remove epsilon (votes (2 * epsilon)).
Proof.
  intros He H. pose proof (y_bounds epsilon He) as Hy.
  set (S' := repeat (tt, true) 2). set (S := (tt, false) :: S').
  assert (N : add_remove S S') by (right; exists [], (tt, false), S'; auto).
  specialize (H S S' N false).
  rewrite (votes_false (2 * epsilon) S 1 1), (votes_false (2 * epsilon) S' 0 2), (inverse epsilon) in H
    by reflexivity.
  replace (- (2 * epsilon) * INR 1) with (- epsilon * INR 2) in H by (simpl; lra).
  replace (- (2 * epsilon) * INR 2) with (- epsilon * INR 4) in H by (simpl; lra).
  rewrite !y_power in H. exact (too_far _ Hy H).
Qed.
