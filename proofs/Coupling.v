(** Two samples drawn together, record by record: the number of places in which they differ
    is binomial, and each of the two has its own law. *)
From Coq Require Import Reals Lra List Bool Lia.
From Tacit Require Import Sums Definitions Packing MasterBound.
Import ListNotations.
Open Scope R_scope.

(** ** The binomial law *)

(** The mean of [f] over the number of successes in [n] trials. *)
Fixpoint binomial_mean (n : nat) (p : R) (f : nat -> R) : R :=
  match n with
  | O => f O
  | S k => (1 - p) * binomial_mean k p f + p * binomial_mean k p (fun j => f (S j))
  end.

Lemma binomial_mean_le n p f g : 0 <= p <= 1 -> (forall k, f k <= g k) ->
  binomial_mean n p f <= binomial_mean n p g.
Proof.
  intros Hp. revert f g. induction n as [|n IH]; intros f g H; simpl; [apply H|].
  apply Rplus_le_compat; apply Rmult_le_compat_l; try lra; apply IH; auto.
Qed.

Definition decreasing (f : nat -> R) : Prop := forall k, f (S k) <= f k.

Lemma binomial_mean_bounds n p f : 0 <= p <= 1 -> (forall k, 0 <= f k <= 1) ->
  0 <= binomial_mean n p f <= 1.
Proof.
  intros Hp. revert f. induction n as [|n IH]; intros f Hf; simpl; [apply Hf|].
  assert (A := IH f Hf). assert (B := IH (fun j => f (S j)) (fun k => Hf (S k))).
  split.
  - apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
  - assert ((1 - p) * binomial_mean n p f <= (1 - p) * 1) by (apply Rmult_le_compat_l; lra).
    assert (p * binomial_mean n p (fun j => f (S j)) <= p * 1) by (apply Rmult_le_compat_l; lra).
    lra.
Qed.

(** The mean hardly changes with the probability: what holds above [p] holds at [p]. *)
Lemma binomial_mean_lipschitz n p q f : 0 <= p <= q -> q <= 1 -> (forall k, 0 <= f k <= 1) ->
  binomial_mean n p f <= binomial_mean n q f + INR n * (q - p).
Proof.
  intros Hp Hq. revert f. induction n as [|n IH]; intros f Hf; [simpl; lra|].
  rewrite S_INR. simpl binomial_mean.
  assert (A := IH f Hf). assert (B := IH (fun j => f (S j)) (fun k => Hf (S k))).
  assert (Q : 0 <= q <= 1) by lra.
  assert (C := binomial_mean_bounds n q f Q Hf).
  assert (D := binomial_mean_bounds n q (fun j => f (S j)) Q (fun k => Hf (S k))).
  set (u := binomial_mean n q f) in *. set (v := binomial_mean n q (fun j => f (S j))) in *.
  assert (E := Rmult_le_compat_l (1 - p) _ _ ltac:(lra) A).
  assert (F := Rmult_le_compat_l p _ _ ltac:(lra) B).
  assert (G : 0 <= (q - p) * (1 - (u - v))) by (apply Rmult_le_pos; lra).
  lra.
Qed.

Lemma choose_none n : C n 0 = 1.
Proof. unfold C. rewrite Nat.sub_0_r. change (INR (fact 0)) with 1. field. apply INR_fact_neq_0. Qed.

Lemma choose_all n : C n n = 1.
Proof. unfold C. rewrite Nat.sub_diag. change (INR (fact 0)) with 1. field. apply INR_fact_neq_0. Qed.

(** The mean is the sum over the binomial weights. *)
Lemma binomial_mean_sum n p f :
  binomial_mean n p f = sum (seq 0 (S n)) (fun k => C n k * p ^ k * (1 - p) ^ (n - k) * f k).
Proof.
  revert f. induction n as [|n IH]; intros f.
  - simpl. unfold C. simpl. field.
  - simpl binomial_mean. rewrite !IH.
    set (w := fun k => C n k * p ^ k * (1 - p) ^ (n - k)).
    (* split off the first and the last term *)
    assert (L : (1 - p) * sum (seq 0 (S n)) (fun k => w k * f k)
      = (1 - p) ^ S n * f 0%nat + sum (seq 0 n) (fun j => (1 - p) * (w (S j) * f (S j)))).
    { rewrite <- sum_scal. simpl seq. rewrite sum_cons. unfold w at 1.
      rewrite choose_none.
      rewrite Nat.sub_0_r, <- seq_shift, sum_map. simpl. ring. }
    assert (M : p * sum (seq 0 (S n)) (fun k => w k * f (S k))
      = sum (seq 0 n) (fun j => p * (w j * f (S j))) + p ^ S n * f (S n)).
    { rewrite <- sum_scal, seq_S, sum_app. simpl (0 + n)%nat. rewrite sum_cons, sum_nil.
      f_equal. unfold w.
      rewrite choose_all.
      rewrite Nat.sub_diag. simpl. ring. }
    transitivity ((1 - p) * sum (seq 0 (S n)) (fun k => w k * f k)
                  + p * sum (seq 0 (S n)) (fun k => w k * f (S k))); [reflexivity|].
    rewrite L, M. simpl (seq 0 (S (S n))). rewrite sum_cons.
    change (1 :: seq 2 n)%nat with (seq 1 (S n)).
    rewrite <- (seq_shift (S n) 0), sum_map, seq_S, sum_app.
    simpl (0 + n)%nat. rewrite sum_cons, sum_nil.
    rewrite choose_none, choose_all.
    rewrite !Nat.sub_diag, Nat.sub_0_r.
    assert (E : sum (seq 0 n) (fun j => C (S n) (S j) * p ^ S j * (1 - p) ^ (S n - S j) * f (S j))
      = sum (seq 0 n) (fun j => (1 - p) * (w (S j) * f (S j))) + sum (seq 0 n) (fun j => p * (w j * f (S j)))).
    { rewrite <- sum_plus. apply sum_ext. intros j Hj. apply in_seq in Hj. unfold w.
      rewrite <- (pascal n j) by lia. rewrite Nat.sub_succ.
      replace ((1 - p) ^ (n - j)) with ((1 - p) * (1 - p) ^ (n - S j))
        by (replace (n - j)%nat with (S (n - S j)) by lia; reflexivity).
      simpl. ring. }
    rewrite E. simpl (_ ^ 0). ring.
Qed.

(** ** Coupled samples *)
Section Coupled.
  Context {Z : Type}.
  Variable pairs : list (Z * Z).
  Variable coupling : Z * Z -> R.
  Variable differ : Z * Z -> bool.
  Hypothesis lawful : finite_law pairs coupling.

  Definition chance : R := sum pairs (fun w => coupling w * one (differ w)).
  Definition differences (W : list (Z * Z)) : nat :=
    list_sum (map (fun w => if differ w then 1 else 0)%nat W).
  Definition sample_mean (n : nat) (f : list (Z * Z) -> R) : R :=
    sum (samples pairs n) (fun W => sample_mass coupling W * f W).

  Lemma sample_mean_S n f :
    sample_mean (S n) f = sum pairs (fun w => coupling w * sample_mean n (fun W => f (w :: W))).
  Proof.
    unfold sample_mean. simpl samples. rewrite sum_flat_map. apply sum_ext. intros w _.
    rewrite sum_map, <- sum_scal. apply sum_ext. intros W _. simpl. ring.
  Qed.

  Lemma sample_mean_le n f g : (forall W, In W (samples pairs n) -> f W <= g W) ->
    sample_mean n f <= sample_mean n g.
  Proof.
    intros H. apply sum_le. intros W HW. destruct lawful as (_ & Hc & _).
    apply Rmult_le_compat_l; [now apply sample_mass_nonneg|now apply H].
  Qed.

  Lemma sample_mean_affine n a b f : sample_mean n (fun W => a * f W + b) = a * sample_mean n f + b.
  Proof.
    destruct lawful as (_ & _ & _ & H1).
    assert (T : sum (samples pairs n) (sample_mass coupling) = 1).
    { pose proof (sample_product pairs coupling (fun _ => 1) n) as P.
      rewrite (sum_ext pairs _ coupling), H1, pow1 in P by (intros; ring).
      rewrite <- P. apply sum_ext. intros W _. replace (product (fun _ => 1) W) with 1; [ring|].
      unfold product. induction W; simpl; lra. }
    unfold sample_mean.
    rewrite (sum_ext _ _ (fun W => a * (sample_mass coupling W * f W) + b * sample_mass coupling W))
      by (intros; ring).
    rewrite sum_plus, !sum_scal, T. ring.
  Qed.

  (** The number of differences is binomial, or smaller. *)
  Lemma differences_binomial n p f : chance <= p <= 1 -> decreasing f ->
    binomial_mean n p f <= sample_mean n (fun W => f (differences W)).
  Proof.
    intros Hp. revert f. destruct lawful as (_ & Hc & _ & H1).
    assert (Hch : 0 <= chance).
    { unfold chance. apply sum_nonneg. intros w _. apply Rmult_le_pos; [apply Hc|].
      unfold one. destruct (differ w); lra. }
    induction n as [|n IH]; intros f Hf.
    - unfold sample_mean. simpl. right. unfold differences. simpl. ring.
    - rewrite sample_mean_S. simpl binomial_mean.
      assert (Hshift : decreasing (fun j => f (S j))) by (intros k; apply Hf).
      set (u := binomial_mean n p f). set (v := binomial_mean n p (fun j => f (S j))).
      assert (Huv : v <= u) by (apply binomial_mean_le; [lra|exact Hf]).
      apply Rle_trans with (sum pairs (fun w => u * coupling w - (u - v) * (coupling w * one (differ w)))).
      + rewrite sum_minus, !sum_scal, H1. fold chance.
        assert (0 <= (u - v) * (p - chance)) by (apply Rmult_le_pos; lra). lra.
      + apply sum_le. intros w _.
        replace (u * coupling w - (u - v) * (coupling w * one (differ w)))
          with (coupling w * (u - (u - v) * one (differ w))) by ring.
        apply Rmult_le_compat_l; [apply Hc|]. unfold differences, one. simpl.
        destruct (differ w); simpl.
        * replace (u - (u - v) * 1) with v by ring. now apply (IH (fun j => f (S j))).
        * replace (u - (u - v) * 0) with u by ring. now apply (IH f).
  Qed.

  (** What depends on one side only has the law of that side. *)
  Lemma marginal (side : Z * Z -> Z) examples p n f :
    (forall g : Z -> R, sum pairs (fun w => coupling w * g (side w)) = sum examples (fun z => p z * g z)) ->
    sample_mean n (fun W => f (map side W)) = sum (samples examples n) (fun S => sample_mass p S * f S).
  Proof.
    intros Hm. revert f. induction n as [|n IH]; intros f.
    - unfold sample_mean. reflexivity.
    - rewrite sample_mean_S. simpl samples. rewrite sum_flat_map.
      rewrite (sum_ext examples _ (fun z => p z *
        sum (samples examples n) (fun S => sample_mass p S * f (z :: S)))).
      + rewrite <- (Hm (fun z => sum (samples examples n) (fun S => sample_mass p S * f (z :: S)))).
        apply sum_ext. intros w _. f_equal. apply (IH (fun S => f (side w :: S))).
      + intros z _. rewrite sum_map, <- sum_scal. apply sum_ext. intros S _. simpl. ring.
  Qed.
End Coupled.
