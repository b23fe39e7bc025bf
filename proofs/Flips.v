(** Permute-and-flip: tacit.mechanisms.selection.PermuteAndFlip, tacit.exact.flips. *)
From Coq Require Import Reals Lra List Bool Lia ZArith Permutation.
From Tacit Require Import Sums Definitions Selection Levels.
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

Section PermuteAndFlip.
  Context {D C : Type}.
  Variable eq_dec : forall r s : C, {r = s} + {r <> s}.
  Variable candidates : list C.
  Variable err : D -> C -> R.

  (** The least error. *)
  Definition least (S : D) : R :=
    match candidates with
    | [] => 0
    | a :: rest => fold_right (fun r x => Rmin (err S r) x) (err S a) rest
    end.

  (** Heads with probability [exp (- rate * (error - least))]. *)
  Definition coin (rate : R) (S : D) (r : C) : R :=
    if in_dec eq_dec r candidates then exp (- rate * (err S r - least S)) else 0.

  Definition permute_and_flip (rate : R) : mechanism D C :=
    fun S r => first_heads eq_dec (coin rate S) candidates r.

  Lemma least_le S r : In r candidates -> least S <= err S r.
  Proof.
    unfold least. destruct candidates as [|a rest]; [contradiction|].
    induction rest as [|b rest IH]; cbn.
    - intros [->|[]]. lra.
    - intros [->|[->|H]].
      + eapply Rle_trans; [apply Rmin_r|]. apply IH. now left.
      + apply Rmin_l.
      + eapply Rle_trans; [apply Rmin_r|]. apply IH. now right.
  Qed.

  Lemma least_reached S : candidates <> [] -> exists r, In r candidates /\ err S r = least S.
  Proof.
    unfold least. destruct candidates as [|a rest]; [congruence|]. intros _.
    induction rest as [|b rest IH]; cbn.
    - exists a. auto.
    - unfold Rmin at 1. destruct (Rle_dec _ _).
      + exists b. auto.
      + destruct IH as (r & [->|Hr] & E); [exists r|exists r]; auto.
  Qed.

  Lemma exp_le x y : x <= y -> exp x <= exp y.
  Proof. intros [H|H]; [left; now apply exp_increasing|subst; lra]. Qed.

  Lemma coin_coins rate S : 0 < rate -> coins (coin rate S).
  Proof.
    intros Hr o. unfold coin. destruct (in_dec _ _ _) as [H|H]; [|lra].
    split; [apply Rlt_le, exp_pos|]. rewrite <- exp_0. apply exp_le.
    assert (G := least_le S o H).
    assert (0 <= rate * (err S o - least S)) by (apply Rmult_le_pos; lra). lra.
  Qed.

  (* code: tacit.mechanisms.selection.PermuteAndFlip
     0 < rate <- object tacit.mechanisms.selection.PermuteAndFlip.rate
     NoDup candidates <- requires $R$ is finite, not empty, and lists each candidate once
     candidates <> [] <- requires $R$ is finite, not empty, and lists each candidate once *)
  Theorem permute_and_flip_law rate S :
    0 < rate -> NoDup candidates -> candidates <> [] ->
    finite_law candidates (permute_and_flip rate S).
  Proof.
    intros Hr Hd Hne. assert (Hc := coin_coins rate S Hr).
    unfold permute_and_flip, first_heads. repeat split; [assumption| | |].
    - intros r. destruct (in_dec eq_dec r candidates) as [H|H].
      + destruct (length candidates) as [|n] eqn:E; [cbn; lra|].
        rewrite flip_spared by assumption.
        apply Rmult_le_pos; [apply Hc|]. apply spared_bounds; [assumption|].
        assert (G := remove_length_in eq_dec candidates r Hd H). lia.
      + rewrite flip_out by assumption. lra.
    - intros r H. now apply flip_out.
    - rewrite flip_total by auto. destruct (least_reached S Hne) as (r & H & E).
      assert (G : forall l, In r l -> tails (coin rate S) l = 0).
      { intros l. induction l as [|a l IH]; [contradiction|]. intros [->|Hi].
        - change (tails (coin rate S) (r :: l)) with ((1 - coin rate S r) * tails (coin rate S) l).
          unfold coin at 1. destruct (in_dec _ _ _); [|contradiction].
          rewrite E, Rminus_eq_0, Rmult_0_r, exp_0. ring.
        - change (tails (coin rate S) (a :: l)) with ((1 - coin rate S a) * tails (coin rate S) l).
          rewrite IH by assumption. ring. }
      rewrite G by assumption. ring.
  Qed.

  Variable neighbours : D -> D -> Prop.

  (* code: tacit.mechanisms.selection.PermuteAndFlip
     0 < epsilon <- check positive(epsilon)
     0 < w <- object tacit.mechanisms.score.Score.spread
     NoDup candidates <- requires $R$ is finite, not empty, and lists each candidate once
     candidates <> [] <- requires $R$ is finite, not empty, and lists each candidate once
     spread neighbours candidates err w <- requires for all neighbours there is an $a$ with $a \le c(r) \le a + w$ for all $r$ *)
  Theorem permute_and_flip_pure epsilon w :
    0 < epsilon -> 0 < w -> NoDup candidates -> candidates <> [] ->
    spread neighbours candidates err w ->
    pure neighbours epsilon (permute_and_flip (epsilon / w)).
  Proof.
    intros He Hw Hd Hne Hs S S' Hn r. destruct (Hs S S' Hn) as [a Ha].
    set (rate := epsilon / w).
    assert (Hrate : 0 < rate) by (apply Rdiv_lt_0_compat; assumption).
    assert (Hrw : rate * w = epsilon) by (unfold rate; field; lra).
    clearbody rate.
    assert (Hd1 : a <= least S' - least S <= a + w).
    { destruct (least_reached S Hne) as (r0 & H0 & E0).
      destruct (least_reached S' Hne) as (r1 & H1 & E1).
      assert (A := Ha r0 H0). assert (B := Ha r1 H1).
      assert (A' := least_le S' r0 H0). assert (B' := least_le S r1 H1). lra. }
    set (d := least S' - least S) in *.
    assert (Hc := coin_coins rate S Hrate). assert (Hc' := coin_coins rate S' Hrate).
    set (s := exp (- rate * (d - a))).
    assert (Hs01 : 0 < s <= 1).
    { split; [apply exp_pos|]. rewrite <- exp_0. apply exp_le.
      assert (0 <= rate * (d - a)) by (apply Rmult_le_pos; lra). lra. }
    assert (Hcoin : forall o, In o candidates ->
      coin rate S' o = coin rate S o * exp (- rate * (err S' o - err S o - d))).
    { intros o Ho. unfold coin. destruct (in_dec _ _ _); [|contradiction].
      rewrite <- exp_plus. f_equal. unfold d. ring. }
    assert (Hle : forall o, In o candidates -> s * coin rate S' o <= coin rate S o).
    { intros o Ho. rewrite (Hcoin o Ho). unfold s.
      rewrite (Rmult_comm (coin rate S o)), <- Rmult_assoc, <- exp_plus.
      rewrite <- (Rmult_1_l (coin rate S o)) at 2.
      apply Rmult_le_compat_r; [apply Hc|]. rewrite <- exp_0. apply exp_le.
      assert (A := Ha o Ho).
      assert (0 <= rate * (err S' o - err S o - a)) by (apply Rmult_le_pos; lra). lra. }
    unfold permute_and_flip, first_heads.
    destruct (in_dec eq_dec r candidates) as [Hr|Hr]; [|rewrite !flip_out by assumption; lra].
    destruct (length candidates) as [|n] eqn:El; [cbn; lra|].
    rewrite !flip_spared by assumption.
    assert (Hrl : length (remove eq_dec r candidates) = n)
      by (assert (G := remove_length_in eq_dec candidates r Hd Hr); lia).
    assert (Hrd : NoDup (remove eq_dec r candidates)).
    { clear - Hd. induction candidates as [|b l IH]; cbn; [constructor|].
      inversion Hd; subst. destruct (eq_dec r b); [auto|]. constructor; [|auto].
      intros Hi. apply in_remove in Hi. tauto. }
    set (others := remove eq_dec r candidates) in *.
    assert (H1 : spared (coin rate S) n others <= spared (fun o => s * coin rate S' o) n others).
    { apply spared_decreasing; auto.
      - intros o. specialize (Hc' o). split; [apply Rmult_le_pos; lra|].
        rewrite <- (Rmult_1_l 1). apply Rmult_le_compat; lra.
      - intros o Ho. apply Hle. unfold others in Ho. apply in_remove in Ho. tauto. }
    assert (H2 : s * spared (fun o => s * coin rate S' o) n others <= spared (coin rate S') n others)
      by (apply spared_scaled; auto; lra).
    assert (H3 : s * spared (coin rate S) n others <= spared (coin rate S') n others).
    { eapply Rle_trans; [|exact H2]. apply Rmult_le_compat_l; lra. }
    assert (H4 : coin rate S r <= exp (rate * (a + w - d)) * coin rate S' r).
    { rewrite (Hcoin r Hr), (Rmult_comm (coin rate S r)), <- Rmult_assoc, <- exp_plus.
      rewrite <- (Rmult_1_l (coin rate S r)) at 1.
      apply Rmult_le_compat_r; [apply Hc|]. rewrite <- exp_0. apply exp_le.
      assert (A := Ha r Hr).
      assert (0 <= rate * (a + w - (err S' r - err S r))) by (apply Rmult_le_pos; lra). lra. }
    assert (H5 : 0 <= spared (coin rate S') n others) by (apply spared_bounds; assumption).
    assert (H6 : exp (rate * (a + w - d)) = exp epsilon * s).
    { unfold s. rewrite <- exp_plus, <- Hrw. f_equal. ring. }
    rewrite H6 in H4.
    assert (H7 := Hc r). assert (H8 := Hc' r). assert (H9 := exp_pos epsilon).
    eapply Rle_trans.
    - apply Rmult_le_compat_r; [|exact H4]. apply spared_bounds; assumption.
    - replace (exp epsilon * s * coin rate S' r * spared (coin rate S) n others)
        with (exp epsilon * (coin rate S' r * (s * spared (coin rate S) n others))) by ring.
      apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [lra|assumption].
  Qed.
End PermuteAndFlip.

(** ** Equal errors, equal probability: a level can be drawn first *)

Lemma sum_picks_perm {C} (F : C -> list C -> R) :
  (forall o rest rest', Permutation rest rest' -> F o rest = F o rest') ->
  forall l l', Permutation l l' ->
  sum (picks l) (fun p => F (fst p) (snd p)) = sum (picks l') (fun p => F (fst p) (snd p)).
Proof.
  intros HF l l' Hp. revert F HF. induction Hp as [|a l l' Hp IH|a b l|l l' l'' H1 IH1 H2 IH2]; intros F HF.
  - reflexivity.
  - cbn [picks]. rewrite !sum_cons, !sum_map. cbn [fst snd]. f_equal; [now apply HF|].
    apply (IH (fun o rest => F o (a :: rest))). intros o rest rest' Hr. apply HF. now constructor.
  - cbn [picks map]. rewrite !sum_cons, !map_map, !sum_map. cbn [fst snd].
    rewrite (sum_ext (picks l) (fun p => F (fst p) (b :: a :: snd p)) (fun p => F (fst p) (a :: b :: snd p)))
      by (intros; apply HF; constructor). ring.
  - now rewrite IH1, IH2.
Qed.

Lemma picks_map {C B} (g : C -> B) (l : list C) :
  picks (map g l) = map (fun p => (g (fst p), map g (snd p))) (picks l).
Proof.
  induction l as [|a l IH]; [reflexivity|]. cbn [picks map]. rewrite IH, !map_map. reflexivity.
Qed.

(** What is spared depends on the coins only, in any order. *)
Lemma spared_map {C} (coin : C -> R) n : forall l,
  spared coin n l = spared (fun c => c) n (map coin l).
Proof.
  induction n as [|n IH]; intros l; [reflexivity|]. cbn [spared].
  rewrite picks_map, sum_map, map_length. cbn [fst snd]. do 2 f_equal.
  apply sum_ext. intros p _. now rewrite IH.
Qed.

Lemma spared_perm n : forall l l', Permutation l l' ->
  spared (fun c : R => c) n l = spared (fun c => c) n l'.
Proof.
  induction n as [|n IH]; intros l l' Hp; [reflexivity|]. cbn [spared].
  rewrite (Permutation_length Hp). do 2 f_equal.
  apply (sum_picks_perm (fun c rest => (1 - c) * spared (fun c => c) n rest)); [|assumption].
  intros c rest rest' Hr. f_equal. now apply IH.
Qed.

Section EqualErrors.
  Context {D C : Type}.
  Variable eq_dec : forall r s : C, {r = s} + {r <> s}.
  Variable candidates : list C.

  (* code: tacit.mechanisms.selection.PermuteAndFlip
     NoDup candidates <- requires $R$ is finite, not empty, and lists each candidate once
     In r candidates <- requires $R$ is finite, not empty, and lists each candidate once
     In s candidates <- requires $R$ is finite, not empty, and lists each candidate once
     err S r = err S s <- object tacit.exact.levels.Levels *)
  Theorem permute_and_flip_equal (err : D -> C -> R) rate S r s :
    NoDup candidates -> In r candidates -> In s candidates -> err S r = err S s ->
    permute_and_flip eq_dec candidates err rate S r = permute_and_flip eq_dec candidates err rate S s.
  Proof.
    intros Hd Hr Hs E. unfold permute_and_flip, first_heads.
    destruct (length candidates) as [|n] eqn:El; [reflexivity|].
    rewrite !flip_spared by assumption.
    assert (Ec : coin eq_dec candidates err rate S r = coin eq_dec candidates err rate S s).
    { unfold coin. destruct (in_dec eq_dec r candidates), (in_dec eq_dec s candidates);
        try contradiction. now rewrite E. }
    rewrite Ec. f_equal. rewrite !(spared_map (coin eq_dec candidates err rate S)).
    apply spared_perm. set (c := coin eq_dec candidates err rate S) in *.
    assert (P : forall x, In x candidates ->
              Permutation (map c candidates) (c x :: map c (remove eq_dec x candidates))).
    { intros x Hx. assert (Q : In x (map fst (picks candidates))).
      { clear - Hx. induction candidates as [|a l IH]; [contradiction|]. cbn.
        rewrite map_map. cbn. destruct Hx; auto. }
      apply in_map_iff in Q as ([y rest] & Ey & Hi). cbn in Ey. subst y.
      rewrite (picks_is_remove eq_dec candidates x rest Hd Hi).
      apply (Permutation_map c (picks_perm candidates x rest Hi)). }
    apply (Permutation_cons_inv (a := c s)).
    rewrite <- (P s Hs), <- Ec. symmetry. now apply P.
  Qed.

  (** The winner's level, drawn by its whole probability, and then a uniform member. *)
  (* code: tacit.mechanisms.selection.PermuteAndFlip
     NoDup candidates <- requires $R$ is finite, not empty, and lists each candidate once
     In r candidates <- requires $R$ is finite, not empty, and lists each candidate once *)
  Theorem levels_first_permute_and_flip (err : D -> C -> Z) rate S r :
    NoDup candidates -> In r candidates ->
    level_first eq_dec candidates (err S)
      (fun e => sum (members candidates (err S) e)
                    (permute_and_flip eq_dec candidates (fun S r => IZR (err S r)) rate S)) r
    = permute_and_flip eq_dec candidates (fun S r => IZR (err S r)) rate S r.
  Proof.
    intros Hd Hr. set (p := permute_and_flip eq_dec candidates (fun S r => IZR (err S r)) rate S).
    set (q := fun e => if Z.eq_dec e (err S r) then p r else
                       sum (members candidates (err S) e) p / count candidates (err S) e).
    transitivity (q (err S r)); [|unfold q; destruct (Z.eq_dec _ _); [reflexivity|congruence]].
    rewrite <- (level_first_law eq_dec candidates (err S) q r Hr).
    unfold level_first. apply sum_ext. intros e He.
    apply nodup_In in He. apply in_map_iff in He as (s & Es & Hs).
    assert (Hc := count_pos candidates (err S) s Hs). rewrite Es in Hc.
    f_equal. unfold q. destruct (Z.eq_dec e (err S r)) as [E|E]; [|field; lra].
    unfold count. rewrite <- sum_const. apply sum_ext. intros y Hy.
    apply in_members in Hy as [Hy Ey]. apply permute_and_flip_equal; auto. now rewrite Ey, E.
  Qed.
End EqualErrors.
