(** Finite sums of reals over lists: the only calculus that the finite laws need. *)
From Coq Require Import Reals Lra List Permutation Bool Lia.
Import ListNotations.
Open Scope R_scope.

Definition sum {A : Type} (l : list A) (f : A -> R) : R :=
  fold_right (fun a s => f a + s) 0 l.

Lemma sum_nil {A} (f : A -> R) : sum [] f = 0.
Proof. reflexivity. Qed.

Lemma sum_cons {A} (a : A) l f : sum (a :: l) f = f a + sum l f.
Proof. reflexivity. Qed.

Lemma sum_app {A} (l m : list A) f : sum (l ++ m) f = sum l f + sum m f.
Proof. induction l as [|a l IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma sum_ext {A} (l : list A) f g :
  (forall a, In a l -> f a = g a) -> sum l f = sum l g.
Proof.
  induction l as [|a l IH]; intros H; simpl; [reflexivity|].
  rewrite H by now left. rewrite IH; auto with datatypes.
Qed.

Lemma sum_le {A} (l : list A) f g :
  (forall a, In a l -> f a <= g a) -> sum l f <= sum l g.
Proof.
  induction l as [|a l IH]; intros H; simpl; [lra|].
  assert (f a <= g a) by (apply H; now left).
  assert (sum l f <= sum l g) by (apply IH; auto with datatypes). lra.
Qed.

Lemma sum_zero {A} (l : list A) f : (forall a, In a l -> f a = 0) -> sum l f = 0.
Proof.
  induction l as [|a l IH]; intros H; simpl; [reflexivity|].
  rewrite H by now left. rewrite IH; auto with datatypes. lra.
Qed.

Lemma sum_nonneg {A} (l : list A) f : (forall a, In a l -> 0 <= f a) -> 0 <= sum l f.
Proof.
  intros H. rewrite <- (sum_zero l (fun _ => 0)) by reflexivity. now apply sum_le.
Qed.

Lemma sum_plus {A} (l : list A) f g : sum l (fun a => f a + g a) = sum l f + sum l g.
Proof. induction l as [|a l IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma sum_minus {A} (l : list A) f g : sum l (fun a => f a - g a) = sum l f - sum l g.
Proof. induction l as [|a l IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma sum_scal {A} (l : list A) c f : sum l (fun a => c * f a) = c * sum l f.
Proof. induction l as [|a l IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma sum_scal_r {A} (l : list A) c f : sum l (fun a => f a * c) = sum l f * c.
Proof. induction l as [|a l IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma sum_const {A} (l : list A) c : sum l (fun _ => c) = INR (length l) * c.
Proof.
  induction l as [|a l IH]; [simpl; lra|]. rewrite sum_cons, IH.
  change (length (a :: l)) with (S (length l)). rewrite S_INR. lra.
Qed.

Lemma sum_swap {A B} (l : list A) (m : list B) (f : A -> B -> R) :
  sum l (fun a => sum m (f a)) = sum m (fun b => sum l (fun a => f a b)).
Proof.
  induction l as [|a l IH]; simpl.
  - symmetry. now apply sum_zero.
  - now rewrite IH, sum_plus.
Qed.

Lemma sum_map {A B} (g : A -> B) l (f : B -> R) : sum (map g l) f = sum l (fun a => f (g a)).
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. now rewrite IH. Qed.

Lemma sum_flat_map {A B} (g : A -> list B) l (f : B -> R) :
  sum (flat_map g l) f = sum l (fun a => sum (g a) f).
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. now rewrite sum_app, IH. Qed.

Lemma sum_perm {A} (l m : list A) f : Permutation l m -> sum l f = sum m f.
Proof. induction 1; simpl; lra. Qed.

Lemma sum_filter {A} (b : A -> bool) l f :
  sum (filter b l) f = sum l (fun a => if b a then f a else 0).
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. destruct (b a); simpl; rewrite IH; lra. Qed.

Lemma sum_split {A} (b : A -> bool) l f :
  sum l f = sum (filter b l) f + sum (filter (fun a => negb (b a)) l) f.
Proof. induction l as [|a l IH]; simpl; [lra|]. destruct (b a); simpl; lra. Qed.

Lemma sum_abs {A} (l : list A) f : Rabs (sum l f) <= sum l (fun a => Rabs (f a)).
Proof.
  induction l as [|a l IH]; simpl.
  - rewrite Rabs_R0. lra.
  - eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

(** One term is at most the sum. *)
Lemma sum_term {A} (l : list A) f a :
  In a l -> (forall x, In x l -> 0 <= f x) -> f a <= sum l f.
Proof.
  intros Ha H. apply in_split in Ha. destruct Ha as (l1 & l2 & ->).
  rewrite sum_app, sum_cons.
  assert (0 <= sum l1 f) by (apply sum_nonneg; intros; apply H, in_or_app; now left).
  assert (0 <= sum l2 f) by (apply sum_nonneg; intros; apply H, in_or_app; right; now right).
  lra.
Qed.

Lemma sum_pos {A} (l : list A) f :
  l <> [] -> (forall a, In a l -> 0 < f a) -> 0 < sum l f.
Proof.
  destruct l as [|a l]; [congruence|]. intros _ H. rewrite sum_cons.
  assert (0 < f a) by (apply H; now left).
  assert (0 <= sum l f) by (apply sum_nonneg; intros; apply Rlt_le, H; now right). lra.
Qed.

(** A duplicate-free part of a list has no more mass than the whole. *)
Lemma sum_incl {A} (l m : list A) f :
  NoDup l -> incl l m -> (forall a, In a m -> 0 <= f a) -> sum l f <= sum m f.
Proof.
  revert m. induction l as [|a l IH]; intros m Hd Hi Hf.
  - simpl. now apply sum_nonneg.
  - inversion Hd as [|? ? Hna Hd']; subst.
    assert (Ha : In a m) by (apply Hi; now left).
    apply in_split in Ha. destruct Ha as (m1 & m2 & ->).
    assert (sum l f <= sum (m1 ++ m2) f).
    { apply IH; [assumption| |].
      - intros x Hx. assert (Hx' : In x (m1 ++ a :: m2)) by (apply Hi; now right).
        apply in_app_or in Hx'. apply in_or_app. destruct Hx' as [|[->|]]; auto. contradiction.
      - intros x Hx. apply Hf. apply in_app_or in Hx. apply in_or_app. simpl. tauto. }
    rewrite sum_app in *. rewrite !sum_cons. lra.
Qed.

(** The sum of an indicator of one element of a duplicate-free list. *)
Lemma sum_pick {A} (eqb : A -> A -> bool) l a f :
  (forall x y, eqb x y = true <-> x = y) -> NoDup l ->
  sum l (fun x => if eqb x a then f x else 0) = if existsb (fun x => eqb x a) l then f a else 0.
Proof.
  intros He. induction 1 as [|x l Hx Hd IH]; simpl; [reflexivity|].
  destruct (eqb x a) eqn:E; simpl.
  - apply He in E; subst. rewrite sum_zero; [lra|]. intros y Hy.
    destruct (eqb y a) eqn:E'; [|reflexivity]. apply He in E'; subst. contradiction.
  - rewrite IH. lra.
Qed.
