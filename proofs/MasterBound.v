(** The chance to release a wrong rule, record by record: expectations of products are powers,
    taken before the union bound (tacit.bounds.upper.selection). *)
From Coq Require Import Reals Lra List Bool Lia.
From Tacit Require Import Sums Definitions Selection Composition.
Import ListNotations.
Open Scope R_scope.

(** ** Independent records: expectations of products are powers *)

Definition product {Z : Type} (f : Z -> R) (S : list Z) : R :=
  fold_right (fun z x => f z * x) 1 S.

Lemma sample_product {Z} (examples : list Z) (p f : Z -> R) (n : nat) :
  sum (samples examples n) (fun S => sample_mass p S * product f S)
  = sum examples (fun z => p z * f z) ^ n.
Proof.
  induction n as [|n IH]; [simpl; lra|]. simpl samples. rewrite sum_flat_map. simpl pow.
  rewrite <- IH, <- sum_scal_r. apply sum_ext. intros z _. rewrite sum_map, <- sum_scal.
  apply sum_ext. intros S _. simpl. unfold product. simpl. ring.
Qed.

Lemma sample_mass_nonneg {Z} (p : Z -> R) : (forall z, 0 <= p z) -> forall S, 0 <= sample_mass p S.
Proof.
  intros H. induction S as [|z S IH]; simpl; [lra|]. apply Rmult_le_pos; auto.
Qed.

(** ** One step: a rule against a comparator *)
Section OneStep.
  Context {D C : Type}.
  Variable eq_dec : forall r s : C, {r = s} + {r <> s}.
  Variable candidates : list C.
  Variable err : D -> C -> R.

  (** The total is at least the weight of the comparator. *)
  Lemma against_comparator rate S h h0 : In h0 candidates ->
    exponential eq_dec candidates err rate S h <= exp (- rate * (err S h - err S h0)).
  Proof.
    intros H0. unfold exponential. destruct (in_dec _ _ _) as [Hin|]; [|apply exp_ge_0].
    assert (Hw : 0 < weight err rate S h0) by apply exp_pos.
    assert (Ht : weight err rate S h0 <= total candidates err rate S).
    { unfold total. apply (sum_term candidates (weight err rate S)); [assumption|].
      intros x _. unfold weight. apply exp_ge_0. }
    replace (- rate * (err S h - err S h0))
      with (- rate * err S h + - (- rate * err S h0)) by ring.
    rewrite exp_plus, exp_Ropp. fold (weight err rate S h) (weight err rate S h0).
    unfold Rdiv. apply Rmult_le_compat_l; [unfold weight; apply exp_ge_0|].
    now apply Rinv_le_contravar.
  Qed.
End OneStep.

(** ** The master bound *)
Section Master.
  Context {X H : Type}.
  Variable predict : H -> X -> bool.
  Variable eq_dec : forall r s : H, {r = s} + {r <> s}.
  Variable rules : list H.
  Variable examples : list (X * bool).
  Variable p : X * bool -> R.
  Hypothesis lawful : finite_law examples p.

  Let score := mistake_score predict.
  Let true_error h := error examples p (predict h).

  (** What one record multiplies the odds of [h] against [h0] by. *)
  Definition one_record (rate : R) (h h0 : H) (z : X * bool) : R :=
    exp (- rate * (INR (wrong (predict h) z) - INR (wrong (predict h0) z))).

  Lemma odds_product rate h h0 S :
    exp (- rate * (score S h - score S h0)) = product (one_record rate h h0) S.
  Proof.
    unfold score, mistake_score, mistakes. induction S as [|z S IH]; unfold product in *; simpl.
    - rewrite Rminus_eq_0, Rmult_0_r. apply exp_0.
    - rewrite <- IH. unfold one_record. rewrite <- exp_plus, !plus_INR. f_equal. ring.
  Qed.

  Definition released_wrong (alpha : R) (m : mechanism (list (X * bool)) H) (n : nat) : R :=
    sum (samples examples n) (fun S => sample_mass p S *
      sum rules (fun h => if Rlt_dec alpha (true_error h) then m S h else 0)).

  (** If the odds of a rule against [h0] are those of the weights (times a constant), and every
      rule of error above [alpha] has factor at most [F], then the released rule is one of them
      with probability at most [F ^ n] for each. *)
  Theorem master_bound rate alpha F h0 n (m : mechanism (list (X * bool)) H) (odds : H -> R) :
    (forall h, 0 <= odds h) ->
    (forall S h, In h rules -> 0 < sample_mass p S ->
       m S h <= odds h * exp (- rate * (score S h - score S h0))) ->
    (forall h, In h rules -> alpha < true_error h ->
       sum examples (fun z => p z * one_record rate h h0 z) <= F) ->
    released_wrong alpha m n
    <= sum rules (fun h => if Rlt_dec alpha (true_error h) then odds h else 0) * F ^ n.
  Proof.
    intros Hodds Hscore Hfactor. destruct lawful as (_ & Hp & _).
    unfold released_wrong.
    apply Rle_trans with (sum (samples examples n) (fun S => sum rules (fun h =>
        (if Rlt_dec alpha (true_error h) then odds h else 0) *
        (sample_mass p S * product (one_record rate h h0) S)))).
    - apply sum_le. intros S _. rewrite <- sum_scal. apply sum_le. intros h Hh.
      destruct (Rlt_dec _ _) as [_|_]; [|lra].
      replace (odds h * (sample_mass p S * product (one_record rate h h0) S))
        with (sample_mass p S * (odds h * product (one_record rate h h0) S)) by ring.
      destruct (sample_mass_nonneg p Hp S) as [M|<-]; [|lra].
      apply Rmult_le_compat_l; [lra|]. rewrite <- odds_product. now apply Hscore.
    - rewrite sum_swap, <- sum_scal_r. apply sum_le. intros h Hh.
      rewrite sum_scal, sample_product. destruct (Rlt_dec _ _) as [L|L]; [|lra].
      apply Rmult_le_compat_l; [apply Hodds|]. apply pow_incr. split; [|now apply Hfactor].
      apply sum_nonneg. intros z _. apply Rmult_le_pos; [apply Hp|]. apply exp_ge_0.
  Qed.

  Lemma expectation_affine a b c h h0 :
    sum examples (fun z => p z * (a - b * INR (wrong (predict h) z) + c * INR (wrong (predict h0) z)))
    = a - b * true_error h + c * true_error h0.
  Proof.
    destruct lawful as (_ & _ & _ & H1). unfold true_error, error.
    rewrite (sum_ext examples _ (fun z => a * p z - b * (p z * INR (wrong (predict h) z))
      + c * (p z * INR (wrong (predict h0) z)))) by (intros; ring).
    rewrite sum_plus, sum_minus, !sum_scal, H1. ring.
  Qed.

  Lemma wrong_cases h z : INR (wrong (predict h) z) = 0 \/ INR (wrong (predict h) z) = 1.
  Proof. unfold wrong. destruct (Bool.eqb _ _); simpl; auto. Qed.

  Lemma cosh_at_least_1 rate : 2 <= exp rate + exp (- rate).
  Proof.
    rewrite exp_Ropp. assert (Hx := exp_pos rate). set (x := exp rate) in *.
    assert (0 <= (x - 1) * (x - 1) * / x).
    { apply Rmult_le_pos; [apply Rle_0_sqr|]. left. now apply Rinv_0_lt_compat. }
    replace ((x - 1) * (x - 1) * / x) with (x + / x - 2) in * by (field; lra). lra.
  Qed.

  (** Realizable: tacit.bounds.upper.selection.realizable_factor. *)
  Lemma realizable_factor rate alpha rho h h0 : 0 < rate ->
    alpha < true_error h -> true_error h0 <= rho ->
    sum examples (fun z => p z * one_record rate h h0 z)
    <= 1 - alpha * (1 - exp (- rate)) + rho * (exp rate - 1).
  Proof.
    intros Hr Hh Hh0. pose proof (cosh_at_least_1 rate) as Hc.
    assert (Hup : 1 < exp rate) by (rewrite <- exp_0; now apply exp_increasing).
    assert (Hdown : exp (- rate) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
    apply Rle_trans with (1 - (1 - exp (- rate)) * true_error h + (exp rate - 1) * true_error h0).
    - rewrite <- (expectation_affine 1). apply sum_le. intros z _. destruct lawful as (_ & Hp & _).
      apply Rmult_le_compat_l; [apply Hp|]. unfold one_record.
      destruct (wrong_cases h z) as [-> | ->], (wrong_cases h0 z) as [-> | ->].
      + rewrite Rminus_0_r, Rmult_0_r, exp_0. lra.
      + replace (- rate * (0 - 1)) with rate by ring. lra.
      + replace (- rate * (1 - 0)) with (- rate) by ring. lra.
      + rewrite Rminus_eq_0, Rmult_0_r, exp_0. lra.
    - assert ((1 - exp (- rate)) * alpha <= (1 - exp (- rate)) * true_error h)
        by (apply Rmult_le_compat_l; lra).
      assert ((exp rate - 1) * true_error h0 <= (exp rate - 1) * rho)
        by (apply Rmult_le_compat_l; lra). lra.
  Qed.

  (** Agnostic: tacit.bounds.upper.selection.agnostic_factor. *)
  Lemma agnostic_factor rate gain h h0 : 0 < rate ->
    true_error h0 + gain < true_error h ->
    sum examples (fun z => p z * one_record rate h h0 z)
    <= (1 + gain) / 2 * exp (- rate) + (1 - gain) / 2 * exp rate.
  Proof.
    intros Hr Hh. pose proof (cosh_at_least_1 rate) as Hc.
    assert (Hs : 0 < exp rate - exp (- rate)).
    { assert (exp (- rate) < exp rate) by (apply exp_increasing; lra). lra. }
    set (b := (exp rate - exp (- rate)) / 2).
    apply Rle_trans with ((exp rate + exp (- rate)) / 2 - b * true_error h + b * true_error h0).
    - rewrite <- (expectation_affine _ b b). apply sum_le. intros z _. destruct lawful as (_ & Hp & _).
      apply Rmult_le_compat_l; [apply Hp|]. unfold one_record, b.
      destruct (wrong_cases h z) as [-> | ->], (wrong_cases h0 z) as [-> | ->].
      + rewrite Rminus_0_r, Rmult_0_r, exp_0. lra.
      + replace (- rate * (0 - 1)) with rate by ring. lra.
      + replace (- rate * (1 - 0)) with (- rate) by ring. lra.
      + rewrite Rminus_eq_0, Rmult_0_r, exp_0. lra.
    - assert (b * gain <= b * (true_error h - true_error h0)) by (apply Rmult_le_compat_l; unfold b; lra).
      unfold b in *. lra.
  Qed.

  (** The comparator is not among the wrong rules. *)
  Lemma wrong_rules alpha h0 : NoDup rules -> In h0 rules -> true_error h0 <= alpha ->
    sum rules (fun h => if Rlt_dec alpha (true_error h) then 1 else 0) <= INR (length rules) - 1.
  Proof.
    intros Hd Hin H0. apply in_split in Hin. destruct Hin as (l & l' & ->).
    rewrite sum_app, sum_cons. destruct (Rlt_dec alpha (true_error h0)) as [L|_]; [lra|].
    assert (C : forall k, sum k (fun h => if Rlt_dec alpha (true_error h) then 1 else 0) <= INR (length k)).
    { intros k. rewrite <- (Rmult_1_r (INR (length k))), <- sum_const. apply sum_le.
      intros h _. destruct (Rlt_dec _ _); lra. }
    pose proof (C l). pose proof (C l'). rewrite app_length. simpl length.
    rewrite Nat.add_succ_r, S_INR, plus_INR. lra.
  Qed.
End Master.
