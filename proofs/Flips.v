(** Permute-and-flip: tacit.mechanisms.selection.PermuteAndFlip, tacit.exact.flips. *)
From Coq Require Import Reals Lra List Bool Lia ZArith Permutation.
From Tacit Require Import Sums Definitions Selection Levels Coins Composition.
Import ListNotations.
Open Scope R_scope.

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

  Lemma coin_coins rate S : 0 <= rate -> coins (coin rate S).
  Proof.
    intros Hr o. unfold coin. destruct (in_dec _ _ _) as [H|H]; [|lra].
    split; [apply Rlt_le, exp_pos|]. rewrite <- exp_0. apply exp_le.
    assert (G := least_le S o H).
    assert (0 <= rate * (err S o - least S)) by (apply Rmult_le_pos; lra). lra.
  Qed.

  (* code: tacit.mechanisms.selection.PermuteAndFlip
     0 <= rate <- object tacit.mechanisms.selection.PermuteAndFlip.rate: return self.epsilon / self.score.spread(self.relation)
     NoDup candidates <- requires $R$ is finite, not empty, and lists each candidate once
     candidates <> [] <- requires $R$ is finite, not empty, and lists each candidate once *)
  Theorem permute_and_flip_law rate S :
    0 <= rate -> NoDup candidates -> candidates <> [] ->
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

  (** Different candidates first. *)
  Lemma flip_pure_distinct epsilon w :
    0 <= epsilon -> 0 < w -> NoDup candidates -> spread neighbours candidates err w ->
    pure neighbours epsilon (permute_and_flip (epsilon / w)).
  Proof.
    intros He Hw Hd Hs S S' Hn r.
    destruct (in_dec eq_dec r candidates) as [Hr|Hr];
      [|unfold permute_and_flip, first_heads; rewrite !flip_out by assumption; lra].
    assert (Hne : candidates <> []) by (intros E; now rewrite E in Hr).
    destruct (Hs S S' Hn) as [a Ha].
    set (rate := epsilon / w). assert (Hrate := rate_nonneg epsilon w He Hw). fold rate in Hrate.
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

(** ** A candidate that is listed twice has the chances of both its places *)

Lemma picks_map {C B} (g : C -> B) (l : list C) :
  picks (map g l) = map (fun p => (g (fst p), map g (snd p))) (picks l).
Proof.
  induction l as [|a l IH]; [reflexivity|]. cbn [picks map]. rewrite IH, !map_map. reflexivity.
Qed.

Section Places.
  Context {I C : Type}.
  Variable eq_place : forall i j : I, {i = j} + {i <> j}.
  Variable eq_dec : forall r s : C, {r = s} + {r <> s}.
  Variable who : I -> C.
  Variable places : list I.
  Hypothesis different : NoDup places.

  Lemma flip_places (heads : C -> R) n : forall l r, incl l places ->
    flip eq_dec heads n (map who l) r
    = sum places (fun i => if eq_dec (who i) r then flip eq_place (fun j => heads (who j)) n l i else 0).
  Proof.
    induction n as [|n IH]; intros l r Hi; cbn [flip].
    - symmetry. apply sum_zero. intros i _. now destruct (eq_dec _ _).
    - rewrite picks_map, sum_map, map_length. cbn [fst snd].
      transitivity (sum (picks l) (fun p => sum places (fun i => if eq_dec (who i) r then
        (if eq_place (fst p) i then heads (who (fst p)) else 0)
        + (1 - heads (who (fst p))) * flip eq_place (fun j => heads (who j)) n (snd p) i else 0))
        / INR (length l)).
      + f_equal. apply sum_ext. intros [o rest] Hp. cbn [fst snd].
        destruct (picks_rest l o rest Hp) as (Ho & Hr & _).
        rewrite IH by (intros x Hx; auto). rewrite <- sum_scal.
        assert (E : (if eq_dec (who o) r then heads (who o) else 0)
          = sum places (fun i => if eq_place o i then if eq_dec (who o) r then heads (who o) else 0 else 0)).
        { symmetry. assert (Q := sum_indicator eq_place places o
            (if eq_dec (who o) r then heads (who o) else 0) different (Hi o Ho)). exact Q. }
        rewrite E, <- sum_plus. apply sum_ext. intros i _.
        destruct (eq_place o i) as [->|]; destruct (eq_dec (who i) r); lra.
      + rewrite sum_swap. unfold Rdiv. rewrite <- sum_scal_r. apply sum_ext. intros i _.
        destruct (eq_dec (who i) r); [reflexivity|]. rewrite sum_zero by reflexivity. ring.
  Qed.
End Places.

(** Permute-and-flip is private; that the candidates are different, or some, is not needed. *)
(* code: tacit.mechanisms.selection.PermuteAndFlip
   0 <= epsilon <- check positive(epsilon) in tacit.mechanisms.selection._Select
   0 < w <- object tacit.mechanisms.score.Score.spread: A positive length ``w`` such that
   spread neighbours candidates err w <- requires for all neighbours there is an $a$ with $a \le c(r) \le a + w$ for all $r$ *)
Theorem permute_and_flip_pure {D C} (eq_dec : forall r s : C, {r = s} + {r <> s})
  (candidates : list C) (err : D -> C -> R) (neighbours : D -> D -> Prop) epsilon w :
  0 <= epsilon -> 0 < w -> spread neighbours candidates err w ->
  pure neighbours epsilon (permute_and_flip eq_dec candidates err (epsilon / w)).
Proof.
  intros He Hw Hs. destruct candidates as [|c0 more] eqn:El.
  { intros S S' _ r. unfold permute_and_flip, first_heads. rewrite !flip_out by (intros []). lra. }
  rewrite <- El in *. assert (Hne : candidates <> []) by (rewrite El; congruence). clear El more.
  set (places := seq 0 (length candidates)). set (who := fun i => nth i candidates c0).
  assert (Em : map who places = candidates).
  { unfold who, places. apply (nth_ext _ _ c0 c0); rewrite map_length, seq_length; [reflexivity|].
    intros i Hi. rewrite (nth_indep _ c0 (who 0%nat)) by now rewrite map_length, seq_length.
    rewrite (map_nth who), seq_nth by assumption. reflexivity. }
  assert (Hw' : forall i, In i places -> In (who i) candidates).
  { intros i Hi. rewrite <- Em. now apply in_map. }
  assert (P : pure neighbours epsilon
                (permute_and_flip Nat.eq_dec places (fun S i => err S (who i)) (epsilon / w))).
  { apply flip_pure_distinct; auto; [apply seq_NoDup|].
    intros S S' Hn. destruct (Hs S S' Hn) as [a Ha]. exists a. intros i Hi. now apply Ha, Hw'. }
  assert (Least : forall S, least places (fun S i => err S (who i)) S = least candidates err S).
  { intros S. apply Rle_antisym.
    - destruct (least_reached candidates err S Hne) as (r & Hr & <-).
      rewrite <- Em in Hr. apply in_map_iff in Hr as (i & <- & Hi).
      now apply (least_le places (fun S i => err S (who i))).
    - destruct (least_reached places (fun S i => err S (who i)) S) as (i & Hi & <-).
      + intros E. apply Hne. now rewrite <- Em, E.
      + now apply least_le, Hw'. }
  assert (E : forall S r, permute_and_flip eq_dec candidates err (epsilon / w) S r
    = sum places (fun i => if eq_dec (who i) r then
        permute_and_flip Nat.eq_dec places (fun S i => err S (who i)) (epsilon / w) S i else 0)).
  { intros S r. unfold permute_and_flip, first_heads.
    transitivity (flip eq_dec (coin eq_dec candidates err (epsilon / w) S) (length places) (map who places) r).
    { unfold places at 1. now rewrite seq_length, Em. }
    rewrite (flip_places Nat.eq_dec eq_dec who places (seq_NoDup _ _)) by apply incl_refl.
    apply sum_ext. intros i _. destruct (eq_dec _ _); [|reflexivity].
    apply flip_coins. intros j Hj. unfold coin. rewrite Least.
    destruct (in_dec Nat.eq_dec j places); [|contradiction].
    destruct (in_dec eq_dec (who j) candidates) as [|N]; [reflexivity|]. destruct N. auto. }
  intros S S' Hn r. rewrite !E, <- sum_scal. apply sum_le. intros i _.
  destruct (eq_dec _ _); [|lra]. now apply P.
Qed.

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
     err S r = err S s <- object tacit.exact.levels.Levels: Distinct errors, ascending, and how many candidates have each (all positive). *)
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
     NoDup candidates <- requires $R$ is finite, not empty, and lists each candidate once *)
  Theorem levels_first_permute_and_flip (err : D -> C -> Z) rate S r :
    NoDup candidates ->
    level_first eq_dec candidates (err S)
      (fun e => sum (members candidates (err S) e)
                    (permute_and_flip eq_dec candidates (fun S r => IZR (err S r)) rate S)) r
    = permute_and_flip eq_dec candidates (fun S r => IZR (err S r)) rate S r.
  Proof.
    intros Hd. destruct (in_dec eq_dec r candidates) as [Hr|Hr].
    2: { unfold permute_and_flip at 2, first_heads. rewrite flip_out by assumption.
         apply sum_zero. intros e _. unfold uniform_member.
         destruct (in_dec _ _ _) as [H|H]; [|lra]. apply in_members in H. tauto. }
    set (p := permute_and_flip eq_dec candidates (fun S r => IZR (err S r)) rate S).
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
