(** Coins flipped in random order until one shows heads: what permute-and-flip draws by
    (tacit.exact.flips). *)
From Coq Require Import Reals Lra List Bool Lia ZArith Permutation.
From Tacit Require Import Sums Definitions.
Import ListNotations.
Open Scope R_scope.

(** Every element of a list with the others. *)
Fixpoint picks {C} (l : list C) : list (C * list C) :=
  match l with
  | [] => []
  | a :: rest => (a, rest) :: map (fun p => (fst p, a :: snd p)) (picks rest)
  end.

Lemma picks_length {C} (l : list C) : length (picks l) = length l.
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. now rewrite map_length, IH. Qed.

Lemma picks_perm {C} (l : list C) : forall o rest,
  In (o, rest) (picks l) -> Permutation l (o :: rest).
Proof.
  induction l as [|a l IH]; intros o rest H; [contradiction|]. destruct H as [H|H].
  - now injection H as <- <-.
  - apply in_map_iff in H as ([o' rest'] & He & Hi). cbn in He. injection He as -> <-.
    rewrite (IH o rest' Hi). apply perm_swap.
Qed.

Lemma picks_rest {C} (l : list C) o rest :
  In (o, rest) (picks l) -> In o l /\ incl rest l /\ S (length rest) = length l /\
  (forall x, In x l -> x = o \/ In x rest) /\ (NoDup l -> ~ In o rest /\ NoDup rest).
Proof.
  intros H. apply picks_perm in H. split; [|split; [|split; [|split]]].
  - rewrite H. now left.
  - intros x Hx. rewrite H. now right.
  - now rewrite (Permutation_length H).
  - intros x Hx. rewrite H in Hx. destruct Hx; auto.
  - intros Hd. rewrite H in Hd. now inversion Hd.
Qed.

Lemma picks_is_remove {C} (eq_dec : forall r s : C, {r = s} + {r <> s}) (l : list C) :
  forall o rest, NoDup l -> In (o, rest) (picks l) -> remove eq_dec o l = rest.
Proof.
  induction l as [|a l IH]; intros o rest Hd Hi; [contradiction|].
  inversion Hd as [|? ? Ha Hd']; subst. destruct Hi as [H|Hi].
  - injection H as <- <-. now rewrite remove_cons, notin_remove.
  - apply in_map_iff in Hi as ([o' rest'] & He & Hi). cbn in He. injection He as -> <-.
    destruct (picks_rest l o rest' Hi) as (H1 & _).
    cbn [remove]. destruct (eq_dec o a) as [->|]; [contradiction|]. f_equal. auto.
Qed.

Section Flips.
  Context {C : Type}.
  Variable eq_dec : forall r s : C, {r = s} + {r <> s}.

  (** Visit the candidates of [l] in random order, flip each one's coin, return the first that
      shows heads: the probability that this is [r]. [n] is the length of [l]. *)
  Fixpoint flip (coin : C -> R) (n : nat) (l : list C) (r : C) : R :=
    match n with
    | O => 0
    | S k => sum (picks l) (fun p =>
               (if eq_dec (fst p) r then coin (fst p) else 0) +
               (1 - coin (fst p)) * flip coin k (snd p) r) / INR (length l)
    end.

  Definition first_heads (coin : C -> R) (l : list C) (r : C) : R := flip coin (length l) l r.

  (** The probability that none of [l] comes before an additional candidate and shows heads. *)
  Fixpoint spared (coin : C -> R) (n : nat) (l : list C) : R :=
    match n with
    | O => 1
    | S k => (1 + sum (picks l) (fun p => (1 - coin (fst p)) * spared coin k (snd p)))
             / (INR (length l) + 1)
    end.

  Definition tails (coin : C -> R) (l : list C) : R :=
    fold_right (fun o x => (1 - coin o) * x) 1 l.

  Definition coins (coin : C -> R) : Prop := forall o, 0 <= coin o <= 1.

  Lemma flip_out coin n : forall l r, ~ In r l -> flip coin n l r = 0.
  Proof.
    induction n as [|n IH]; intros l r Hr; [reflexivity|]. cbn [flip].
    rewrite sum_zero; [unfold Rdiv; ring|]. intros [o rest] Hi. cbn [fst snd].
    destruct (picks_rest l o rest Hi) as (H1 & H2 & _).
    destruct (eq_dec o r) as [->|]; [contradiction|]. rewrite IH; [ring|]. auto.
  Qed.

  (** Only the coins of the listed candidates are flipped. *)
  Lemma flip_coins coin coin' n : forall l r, (forall o, In o l -> coin o = coin' o) ->
    flip coin n l r = flip coin' n l r.
  Proof.
    induction n as [|n IH]; intros l r H; [reflexivity|]. cbn [flip]. f_equal.
    apply sum_ext. intros [o rest] Hp. cbn [fst snd].
    destruct (picks_rest l o rest Hp) as (Ho & Hr & _).
    rewrite (H o Ho), (IH rest r) by auto. reflexivity.
  Qed.

  Lemma picks_remove (F : C -> list C -> R) l r :
    NoDup l -> In r l ->
    sum (picks l) (fun p => if eq_dec (fst p) r then 0 else F (fst p) (remove eq_dec r (snd p)))
    = sum (picks (remove eq_dec r l)) (fun p => F (fst p) (snd p)).
  Proof.
    revert F. induction l as [|a l IH]; intros F Hd Hr; [contradiction|].
    inversion Hd as [|? ? Ha Hd']; subst. cbn [picks]. rewrite sum_cons, sum_map. cbn [fst snd].
    destruct (eq_dec a r) as [->|Hne].
    - rewrite remove_cons, notin_remove by assumption. rewrite Rplus_0_l.
      apply sum_ext. intros [o rest] Hi. cbn [fst snd].
      destruct (picks_rest l o rest Hi) as (H1 & H2 & _).
      destruct (eq_dec o r) as [->|]; [contradiction|].
      rewrite remove_cons, notin_remove; auto.
    - destruct Hr as [->|Hr]; [congruence|].
      assert (E : remove eq_dec r (a :: l) = a :: remove eq_dec r l).
      { cbn. destruct (eq_dec r a); [congruence|reflexivity]. }
      rewrite E. cbn [picks]. rewrite sum_cons, sum_map. cbn [fst snd]. f_equal.
      rewrite <- (IH (fun o rest => F o (a :: rest)) Hd' Hr).
      apply sum_ext. intros [o rest] _. cbn [fst snd]. destruct (eq_dec o r); [reflexivity|].
      f_equal. cbn. destruct (eq_dec r a); [congruence|reflexivity].
  Qed.

  Lemma remove_length_in l r : NoDup l -> In r l -> S (length (remove eq_dec r l)) = length l.
  Proof.
    induction l as [|a l IH]; intros Hd Hr; [contradiction|]. inversion Hd; subst. cbn [remove].
    destruct (eq_dec r a) as [->|Hne].
    - now rewrite notin_remove.
    - destruct Hr as [->|Hr]; [congruence|]. cbn [length]. now rewrite IH.
  Qed.

  (** [r] is returned if nobody before it shows heads, and it does. *)
  Lemma flip_spared coin n : forall l r, NoDup l -> In r l -> length l = S n ->
    flip coin (S n) l r = coin r * spared coin n (remove eq_dec r l).
  Proof.
    induction n as [|n IH]; intros l r Hd Hr Hl.
    - destruct l as [|a [|b l]]; try discriminate. destruct Hr as [->|[]].
      cbn. destruct (eq_dec r r); [|congruence]. field.
    - remember (S n) as k. cbn [flip].
      rewrite (sum_ext _ _ (fun p => (if eq_dec (fst p) r then coin r else 0) +
         (if eq_dec (fst p) r then 0 else
            (fun o rest => coin r * ((1 - coin o) * spared coin n rest))
              (fst p) (remove eq_dec r (snd p))))).
      + rewrite sum_plus.
        rewrite (picks_remove (fun o rest => coin r * ((1 - coin o) * spared coin n rest)) l r Hd Hr).
        rewrite sum_scal.
        assert (Hone : sum (picks l) (fun p => if eq_dec (fst p) r then coin r else 0) = coin r).
        { clear - Hd Hr. induction l as [|a l IH]; [contradiction|]. inversion Hd; subst.
          cbn [picks]. rewrite sum_cons, sum_map. cbn [fst]. destruct (eq_dec a r) as [->|Hne].
          - rewrite sum_zero; [ring|]. intros [o rest] Hi. cbn [fst].
            destruct (picks_rest l o rest Hi) as (G & _).
            destruct (eq_dec o r) as [->|]; [contradiction|reflexivity].
          - destruct Hr as [->|Hr]; [congruence|]. rewrite IH by assumption. ring. }
        rewrite Hone. assert (Hrl := remove_length_in l r Hd Hr).
        subst k. cbn [spared].
        replace (length l) with (S (length (remove eq_dec r l))) by exact Hrl.
        rewrite S_INR. assert (0 <= INR (length (remove eq_dec r l))) by apply pos_INR.
        field. lra.
      + intros [o rest] Hi. cbn [fst snd].
        destruct (picks_rest l o rest Hi) as (H1 & H2 & H3 & H4 & H5).
        destruct (H5 Hd) as [H6 H7]. destruct (eq_dec o r) as [->|Hne].
        * rewrite flip_out by assumption. ring.
        * subst k. rewrite IH; [ring|assumption| |lia].
          destruct (H4 r Hr); [congruence|assumption].
  Qed.

  (** All probabilities together: somebody shows heads. *)
  Lemma flip_total coin n : forall l, NoDup l -> length l = n ->
    sum l (flip coin n l) = 1 - tails coin l.
  Proof.
    induction n as [|n IH]; intros l Hd Hl.
    - destruct l; [|discriminate]. cbn. ring.
    - assert (Hpos : 0 < INR (length l)) by (rewrite Hl; apply lt_0_INR; lia).
      assert (Ht : forall m m', Permutation m m' -> tails coin m = tails coin m').
      { induction 1; cbn [tails fold_right]; [reflexivity|now f_equal|ring|congruence]. }
      cbn [flip]. unfold Rdiv. rewrite sum_scal_r, sum_swap.
      rewrite (sum_ext _ _ (fun _ => 1 - tails coin l)).
      + rewrite sum_const, picks_length. field. lra.
      + intros [o rest] Hi. cbn [fst snd]. rewrite sum_plus, sum_scal.
        destruct (picks_rest l o rest Hi) as (H1 & H2 & H3 & H4 & H5).
        destruct (H5 Hd) as [H6 H7].
        assert (E1 : sum l (fun r => if eq_dec o r then coin o else 0) = coin o).
        { rewrite (sum_ext _ _ (fun r => if (if eq_dec r o then true else false) then coin o else 0)).
          - rewrite (sum_pick (fun s t => if eq_dec s t then true else false) l o (fun _ => coin o));
              [| intros a b; destruct (eq_dec a b); split; congruence | assumption].
            assert (E : existsb (fun x => if eq_dec x o then true else false) l = true).
            { apply existsb_exists. exists o. split; [assumption|]. destruct (eq_dec o o); congruence. }
            now rewrite E.
          - intros r _. destruct (eq_dec o r), (eq_dec r o); congruence. }
        rewrite E1, (sum_perm l (o :: rest)), sum_cons, flip_out, IH; auto with zarith.
        * rewrite (Ht l (o :: rest)) by now apply picks_perm.
          change (tails coin (o :: rest)) with ((1 - coin o) * tails coin rest). ring.
        * now apply picks_perm.
  Qed.

  Lemma tails_bounds coin l : coins coin -> 0 <= tails coin l <= 1.
  Proof.
    intros Hc. induction l as [|a l IH]; [cbn; lra|]. specialize (Hc a).
    change (tails coin (a :: l)) with ((1 - coin a) * tails coin l). split.
    - apply Rmult_le_pos; lra.
    - rewrite <- (Rmult_1_l 1). apply Rmult_le_compat; lra.
  Qed.

  Lemma spared_bounds coin n : forall l, coins coin -> length l = n -> 0 <= spared coin n l.
  Proof.
    induction n as [|n IH]; intros l Hc Hl; cbn [spared]; [lra|].
    apply Rmult_le_pos.
    - assert (0 <= sum (picks l) (fun p => (1 - coin (fst p)) * spared coin n (snd p))); [|lra].
      apply sum_nonneg. intros [o rest] Hi. cbn [fst snd].
      destruct (picks_rest l o rest Hi) as (_ & _ & H3 & _). specialize (Hc o) as Ho.
      apply Rmult_le_pos; [lra|]. apply IH; [assumption|lia].
    - apply Rlt_le, Rinv_0_lt_compat. assert (0 <= INR (length l)) by apply pos_INR. lra.
  Qed.

  (** Likelier heads of the others spare less. *)
  Lemma spared_decreasing coin coin' n : forall l,
    coins coin -> coins coin' -> (forall o, In o l -> coin o <= coin' o) -> length l = n ->
    spared coin' n l <= spared coin n l.
  Proof.
    induction n as [|n IH]; intros l Hc Hc' Hle Hl; cbn [spared]; [lra|].
    apply Rmult_le_compat_r.
    - apply Rlt_le, Rinv_0_lt_compat. assert (0 <= INR (length l)) by apply pos_INR. lra.
    - apply Rplus_le_compat_l. apply sum_le. intros [o rest] Hi. cbn [fst snd].
      destruct (picks_rest l o rest Hi) as (H1 & H2 & H3 & _).
      specialize (Hc o) as Ho. specialize (Hc' o) as Ho'. specialize (Hle o H1) as Hoo.
      apply Rmult_le_compat; [lra| |lra|].
      + apply spared_bounds; [assumption|lia].
      + apply IH; auto; lia.
  Qed.

  (** The others' probabilities of being returned add up to at most 1. *)
  Lemma spared_share coin n l :
    coins coin -> NoDup l -> length l = S n ->
    sum (picks l) (fun p => coin (fst p) * spared coin n (snd p)) <= 1.
  Proof.
    intros Hc Hd Hl.
    assert (H := flip_total coin (S n) l Hd Hl). assert (Hb := tails_bounds coin l Hc).
    assert (E : sum (picks l) (fun p => coin (fst p) * spared coin n (snd p))
                = sum l (flip coin (S n) l)); [|lra].
    transitivity (sum (map fst (picks l)) (flip coin (S n) l)).
    - rewrite sum_map. apply sum_ext. intros [o rest] Hi. cbn [fst snd].
      destruct (picks_rest l o rest Hi) as (H1 & _).
      rewrite flip_spared by assumption. f_equal.
      apply (f_equal (spared coin n)). symmetry. now apply picks_is_remove.
    - f_equal. clear. induction l as [|a l IH]; [reflexivity|]. cbn. f_equal.
      rewrite map_map. cbn. exact IH.
  Qed.

  (** Scaling all coins down spares at most in proportion more. *)
  Lemma spared_scaled coin s n : forall l,
    0 <= s <= 1 -> coins coin -> NoDup l -> length l = n ->
    s * spared (fun o => s * coin o) n l <= spared coin n l.
  Proof.
    induction n as [|n IH]; intros l Hs Hc Hd Hl; cbn [spared]; [lra|].
    assert (Hp : 0 < / (INR (length l) + 1)).
    { apply Rinv_0_lt_compat. assert (0 <= INR (length l)) by apply pos_INR. lra. }
    unfold Rdiv. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [lra|].
    assert (Hsh := spared_share coin n l Hc Hd Hl).
    rewrite Rmult_plus_distr_l, <- sum_scal.
    eapply Rle_trans.
    - apply Rplus_le_compat_l. apply (sum_le _ _ (fun p => spared coin n (snd p)
        - s * (coin (fst p) * spared coin n (snd p)))).
      intros [o rest] Hi. cbn [fst snd].
      destruct (picks_rest l o rest Hi) as (H1 & H2 & H3 & H4 & H5). destruct (H5 Hd) as [H6 H7].
      assert (Hr : s * spared (fun o => s * coin o) n rest <= spared coin n rest)
        by (apply IH; auto; lia).
      specialize (Hc o) as Ho.
      assert (Hso : 0 <= s * coin o <= 1).
      { split; [apply Rmult_le_pos; lra|]. rewrite <- (Rmult_1_l 1). apply Rmult_le_compat; lra. }
      replace (spared coin n rest - s * (coin o * spared coin n rest))
        with ((1 - s * coin o) * spared coin n rest) by ring.
      replace (s * ((1 - s * coin o) * spared (fun o0 => s * coin o0) n rest))
        with ((1 - s * coin o) * (s * spared (fun o0 => s * coin o0) n rest)) by ring.
      apply Rmult_le_compat_l; lra.
    - rewrite sum_minus, sum_scal.
      rewrite (sum_ext _ (fun p => (1 - coin (fst p)) * spared coin n (snd p))
                 (fun p => spared coin n (snd p) - coin (fst p) * spared coin n (snd p)))
        by (intros; ring).
      rewrite sum_minus.
      assert (0 <= (1 - s) * (1 - sum (picks l) (fun p => coin (fst p) * spared coin n (snd p))))
        by (apply Rmult_le_pos; lra). lra.
  Qed.
End Flips.
