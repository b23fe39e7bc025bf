(** The gap test as printed (BNS19 Algorithm 1, A_dist;
    tacit.checks.attacks.faulty.PrintedGapTest) is not private. *)
From Coq Require Import Reals Lra List Bool Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Tacit Require Import Sums Definitions Geometric GapTest.
Import ListNotations.
Open Scope R_scope.

Definition laplace (epsilon : R) (t : R) : R := epsilon / 2 * exp (- epsilon * Rabs t).

(** The probability that Laplace noise of scale [1 / epsilon] is at least [t]. *)
Definition laplace_tail (epsilon t : R) : R :=
  if Rle_dec 0 t then exp (- epsilon * t) / 2 else 1 - exp (epsilon * t) / 2.

Lemma laplace_right epsilon a b : 0 < epsilon -> 0 <= a <= b ->
  is_RInt (laplace epsilon) a b (exp (- epsilon * a) / 2 - exp (- epsilon * b) / 2).
Proof.
  intros He Hab.
  replace (exp (- epsilon * a) / 2 - exp (- epsilon * b) / 2)
    with (minus (- exp (- epsilon * b) / 2) (- exp (- epsilon * a) / 2))
    by (unfold minus, plus, opp; cbn; lra).
  apply (is_RInt_ext (fun t => epsilon / 2 * exp (- epsilon * t))).
  - intros t. rewrite Rmin_left, Rmax_right by lra. intros Ht. unfold laplace.
    rewrite Rabs_pos_eq by lra. reflexivity.
  - apply (is_RInt_derive (fun t => - exp (- epsilon * t) / 2)).
    + intros t _. auto_derive; [trivial|]. field.
    + intros t _. apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)).
      auto_derive. trivial.
Qed.

Lemma laplace_left epsilon a : 0 < epsilon -> a <= 0 ->
  is_RInt (laplace epsilon) a 0 (1 / 2 - exp (epsilon * a) / 2).
Proof.
  intros He Ha.
  replace (1 / 2 - exp (epsilon * a) / 2)
    with (minus (exp (epsilon * 0) / 2) (exp (epsilon * a) / 2))
    by (rewrite Rmult_0_r, exp_0; unfold minus, plus, opp; cbn; lra).
  apply (is_RInt_ext (fun t => epsilon / 2 * exp (epsilon * t))).
  - intros t. rewrite Rmin_left, Rmax_right by lra. intros Ht. unfold laplace.
    rewrite Rabs_left1 by lra. do 2 f_equal. ring.
  - apply (is_RInt_derive (fun t => exp (epsilon * t) / 2)).
    + intros t _. auto_derive; [trivial|]. field.
    + intros t _. apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)).
      auto_derive. trivial.
Qed.

(** [laplace_tail] is what its name says: the integral of the density from [t] on. *)
Theorem laplace_tail_integral epsilon t : 0 < epsilon ->
  is_lim_seq (fun n => RInt (laplace epsilon) t (INR n)) (laplace_tail epsilon t).
Proof.
  intros He.
  assert (L : is_lim_seq (fun n => laplace_tail epsilon t - exp (- epsilon) ^ n / 2)
                (laplace_tail epsilon t - 0 / 2)).
  { apply is_lim_seq_minus'; [apply is_lim_seq_const|].
    apply (is_lim_seq_scal_r _ (/ 2) 0). apply is_lim_seq_geom.
    assert (Q := q_bounds epsilon He). rewrite Rabs_pos_eq; lra. }
  replace (laplace_tail epsilon t - 0 / 2) with (laplace_tail epsilon t) in L by lra.
  refine (is_lim_seq_ext_loc _ _ _ _ L). clear L.
  destruct (nfloor_ex (Rmax 0 t)) as [k [_ Hk]]; [apply Rmax_l|].
  exists (S k). intros n Hn.
  assert (Hnk : Rmax 0 t <= INR n) by (apply le_INR in Hn; rewrite S_INR in Hn; lra).
  assert (M1 := Rmax_l 0 t). assert (M2 := Rmax_r 0 t).
  assert (E : exp (- epsilon) ^ n = exp (- epsilon * INR n)).
  { clear. induction n as [|n IH]; [cbn; now rewrite Rmult_0_r, exp_0|].
    rewrite S_INR, Rmult_plus_distr_l, exp_plus, Rmult_1_r. cbn [pow]. rewrite IH. ring. }
  rewrite E. symmetry. apply is_RInt_unique. unfold laplace_tail. destruct (Rle_dec 0 t) as [Ht|Ht].
  - apply laplace_right; lra.
  - replace (1 - exp (epsilon * t) / 2 - exp (- epsilon * INR n) / 2)
      with (plus (1 / 2 - exp (epsilon * t) / 2) (exp (- epsilon * 0) / 2 - exp (- epsilon * INR n) / 2))
      by (rewrite Rmult_0_r, exp_0; unfold plus; cbn; lra).
    apply (is_RInt_Chasles (V := R_NormedModule) _ t 0 (INR n));
      [apply laplace_left; lra|apply laplace_right; lra].
Qed.

(** BNS19 Algorithm 1: the lead plus [Lap (1 / epsilon)] against [ln (1 / delta) / epsilon]. *)
Definition printed_gap_test {D C} (eq_dec : forall r s : C, {r = s} + {r <> s}) candidates err best
  (epsilon delta : R) : mechanism D (option C) :=
  release_best eq_dec best
    (fun S => laplace_tail epsilon
                (ln (1 / delta) / epsilon - IZR (lead eq_dec candidates err best S))).

(** The score of the counterexample: votes for one of two candidates. *)
Definition lost_votes (S : list bool) (r : bool) : Z := (- Z.of_nat (count_occ bool_dec S r))%Z.
Definition most_voted (S : list bool) : bool :=
  Nat.leb (count_occ bool_dec S false) (count_occ bool_dec S true).

(** It is what the printed statement asks for: a score that moves by at most 1. *)
Lemma lost_votes_sensitivity S S' r :
  replace_one S S' -> (Z.abs (lost_votes S r - lost_votes S' r) <= 1)%Z.
Proof.
  intros (b & x & x' & a & -> & ->). unfold lost_votes. rewrite !count_occ_app. cbn [count_occ].
  destruct (bool_dec x r), (bool_dec x' r); lia.
Qed.

Lemma most_voted_best : best_is_best [true; false] lost_votes most_voted.
Proof.
  intros S. split; [destruct (most_voted S); cbn; auto|]. intros r _.
  unfold lost_votes, most_voted.
  destruct (Nat.leb_spec (count_occ bool_dec S false) (count_occ bool_dec S true)); destruct r; lia.
Qed.

Lemma count_repeat n :
  count_occ bool_dec (repeat true n) true = n /\ count_occ bool_dec (repeat true n) false = O.
Proof. induction n as [|n [A B]]; cbn; [auto|]. now rewrite A, B. Qed.

Lemma only_other :
  filter (fun r => if bool_dec r true then false else true) [true; false] = [false].
Proof. reflexivity. Qed.

(** Whatever its delta, the printed test needs at least [(1 - exp (- epsilon)) / 2] at its own
    epsilon. *)
(* code: tacit.checks.attacks.faulty.PrintedGapTest
   0 < delta <= 1 <- requires `0 < delta < 1`
   delta' < (1 - exp (- epsilon)) / 2 <- object tacit.checks.attacks.faulty.PrintedGapTest.true_delta: The least delta at ``epsilon`` for two neighbours *)
Theorem printed_gap_test_not_private epsilon delta delta' :
  0 < delta <= 1 -> delta' < (1 - exp (- epsilon)) / 2 ->
  ~ approximate replace_one epsilon delta'
      (printed_gap_test bool_dec [true; false] lost_votes most_voted epsilon delta).
Proof.
  intros Hdel Hd' H. destruct (Rle_or_lt epsilon 0) as [He0|He].
  { assert (exp 0 <= exp (- epsilon)) by (apply exp_monotone; lra). rewrite exp_0 in *.
    assert (R : replace_one [true] [true]) by (exists [], true, true, []; auto).
    specialize (H _ _ R [] (NoDup_nil _)). rewrite !sum_nil in H. lra. }
  set (t := ln (1 / delta) / epsilon).
  assert (Ht : 0 <= t).
  { unfold t. apply Rmult_le_pos; [|apply Rlt_le, Rinv_0_lt_compat; lra].
    unfold Rdiv. rewrite Rmult_1_l, ln_Rinv by lra.
    assert (ln delta <= ln 1) by (destruct (Req_dec delta 1) as [->|]; [lra|];
      apply Rlt_le, ln_increasing; lra). rewrite ln_1 in *. lra. }
  destruct (nfloor_ex t Ht) as [g [Hg1 Hg2]].
  set (S' := repeat true (S (S g))). set (S := false :: repeat true (Datatypes.S g)).
  assert (Hn : replace_one S S') by (exists [], false, true, (repeat true (Datatypes.S g)); auto).
  destruct (count_repeat (Datatypes.S g)) as [C1 C2].
  destruct (count_repeat (Datatypes.S (Datatypes.S g))) as [C1' C2'].
  assert (B : most_voted S = true).
  { unfold most_voted, S. cbn [count_occ]. destruct (bool_dec false true); [discriminate|].
    destruct (bool_dec false false); [|congruence]. rewrite C1, C2. reflexivity. }
  assert (B' : most_voted S' = true).
  { unfold most_voted, S'. rewrite C1', C2'. reflexivity. }
  assert (L : lead bool_dec [true; false] lost_votes most_voted S = Z.of_nat g).
  { unfold lead, others. rewrite B. rewrite only_other. cbn [fold_right]. unfold lost_votes, S. cbn [count_occ].
    destruct (bool_dec false true); [discriminate|].
    destruct (bool_dec false false); [|congruence]. rewrite C1, C2. lia. }
  assert (L' : lead bool_dec [true; false] lost_votes most_voted S' = Z.of_nat (g + 2)).
  { unfold lead, others. rewrite B'. rewrite only_other. cbn [fold_right]. unfold lost_votes, S'. rewrite C1', C2'. lia. }
  assert (N : NoDup [@None bool]) by (repeat constructor; intros []).
  specialize (H S S' Hn [None] N). rewrite !sum_cons, !sum_nil in H.
  unfold printed_gap_test, release_best in H. fold t in H. rewrite L, L' in H.
  rewrite <- !INR_IZR_INZ, plus_INR in H. cbn [INR] in H.
  unfold laplace_tail in H.
  destruct (Rle_dec 0 (t - INR g)) as [_|]; [|lra].
  destruct (Rle_dec 0 (t - (INR g + (1 + 1)))) as [|_]; [lra|].
  assert (Hu : 0 <= t - INR g < 1) by lra. set (u := t - INR g) in *.
  set (a := exp (- epsilon * u)) in *. set (b := exp (- epsilon * (1 - u))).
  assert (H1 : forall y, y <= 0 -> exp y <= 1) by (intros; rewrite <- exp_0; now apply exp_monotone).
  assert (Ha : a <= 1) by (apply H1; nra).
  assert (Hb : b <= 1) by (apply H1; nra).
  assert (Hab : a * b = exp (- epsilon)) by (unfold a, b; rewrite <- exp_plus; f_equal; ring).
  assert (E : exp epsilon * exp (epsilon * (t - (INR g + (1 + 1)))) = b).
  { unfold b, u. rewrite <- exp_plus. f_equal. ring. }
  assert (0 <= (1 - a) * (1 - b)) by (apply Rmult_le_pos; lra). lra.
Qed.

(** At epsilon 1 and a nominal delta of one in a million it is off by a factor of 310 000. *)
(* code: tacit.checks.attacks.faulty.PrintedGapTest
*)
Theorem printed_gap_test_example :
  ~ approximate replace_one 1 (31 / 100)
      (printed_gap_test bool_dec [true; false] lost_votes most_voted 1 (1 / 1000000)).
Proof.
  apply printed_gap_test_not_private; [lra|].
  assert (E : 1 + / 16 <= exp (/ 16)) by apply exp_ineq1_le.
  assert (P : exp (/ 16) ^ 16 = exp 1).
  { assert (G : forall n, exp (/ 16) ^ n = exp (/ 16 * INR n)).
    { induction n as [|n IH]; [cbn; now rewrite Rmult_0_r, exp_0|].
      rewrite S_INR, Rmult_plus_distr_l, exp_plus, Rmult_1_r. cbn [pow]. rewrite IH. ring. }
    rewrite G. f_equal. simpl. field. }
  assert (Q : (1 + / 16) ^ 16 <= exp (/ 16) ^ 16) by (apply pow_incr; lra).
  rewrite P in Q. assert (Q' : 2.635 <= exp 1) by (eapply Rle_trans; [|exact Q]; cbn; lra).
  rewrite exp_Ropp.
  assert (/ exp 1 <= / 2.635) by (apply Rinv_le_contravar; lra). lra.
Qed.
