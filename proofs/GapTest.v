(** The gap test: tacit.mechanisms.gap_test.GapTest is private, and the test as printed
    (A_dist; tacit.checks.attacks.specimens.PrintedGapTest) is not. *)
From Coq Require Import Reals Lra List Bool Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Tacit Require Import Sums Definitions Vectors Geometric.
Import ListNotations.
Open Scope R_scope.

Section GapTest.
  Context {D C : Type}.
  Variable eq_dec : forall r s : C, {r = s} + {r <> s}.
  Variable candidates : list C.
  Variable err : D -> C -> Z.
  (** A best candidate; among several, some fixed function of the data. *)
  Variable best : D -> C.

  Definition best_is_best : Prop :=
    forall S, In (best S) candidates /\
    forall r, In r candidates -> (err S (best S) <= err S r)%Z.

  Definition others (S : D) : list C :=
    filter (fun r => if eq_dec r (best S) then false else true) candidates.

  (** By how much the error of the best is below that of every other; 0 for a lone candidate. *)
  Definition lead (S : D) : Z :=
    match others S with
    | [] => 0%Z
    | a :: rest => fold_right (fun r x => Z.min (err S r - err S (best S)) x)
                              (err S a - err S (best S))%Z rest
    end.

  (** Release the best candidate with probability [chance S], else nothing. *)
  Definition release_best (chance : D -> R) : mechanism D (option C) :=
    fun S o => match o with
               | Some r => if eq_dec r (best S) then chance S else 0
               | None => 1 - chance S
               end.

  (** The best candidate if its lead plus noise reaches the threshold. *)
  Definition gap_test (x : R) (threshold : Z) : mechanism D (option C) :=
    release_best (fun S => tail x (threshold - lead S)).

  Lemma release_best_law chance S :
    NoDup candidates -> best_is_best -> 0 <= chance S <= 1 ->
    finite_law (None :: map Some candidates) (release_best chance S).
  Proof.
    intros Hd Hb Hc. destruct (Hb S) as [Hin _]. split; [|split; [|split]].
    - constructor.
      + intros H. apply in_map_iff in H as (r & E & _). discriminate.
      + apply FinFun.Injective_map_NoDup; [|assumption]. intros a b E. congruence.
    - intros [r|]; cbn; [|lra]. destruct (eq_dec r (best S)); lra.
    - intros [r|] Hn; cbn.
      + destruct (eq_dec r (best S)) as [->|]; [|reflexivity]. exfalso. apply Hn. right.
        now apply in_map.
      + exfalso. apply Hn. now left.
    - rewrite sum_cons, sum_map. cbn [release_best].
      rewrite (sum_ext _ _ (fun r => if (if eq_dec r (best S) then true else false) then chance S else 0))
        by (intros r _; destruct (eq_dec r (best S)); reflexivity).
      rewrite (sum_pick (fun s t => if eq_dec s t then true else false) candidates (best S)
                 (fun _ => chance S));
        [| intros a b; destruct (eq_dec a b); split; congruence | assumption].
      assert (E : existsb (fun x => if eq_dec x (best S) then true else false) candidates = true).
      { apply existsb_exists. exists (best S). split; [assumption|].
        destruct (eq_dec (best S) (best S)); congruence. }
      rewrite E. ring.
  Qed.

  (* code: tacit.mechanisms.gap_test.GapTest
     0 < x <- object tacit.mechanisms.gap_test.GapTest.scale
     NoDup candidates <- requires the candidates are the same public set for all data
     best_is_best <- object tacit.mechanisms.gap_test.leader *)
  Theorem gap_test_law x threshold S :
    0 < x -> NoDup candidates -> best_is_best ->
    finite_law (None :: map Some candidates) (gap_test x threshold S).
  Proof. intros. apply release_best_law; auto. now apply tail_bounds. Qed.

  Lemma lead_le S r : In r candidates -> r <> best S -> (lead S <= err S r - err S (best S))%Z.
  Proof.
    intros Hr Hne. assert (Ho : In r (others S)).
    { apply filter_In. split; [assumption|]. destruct (eq_dec r (best S)); congruence. }
    unfold lead. destruct (others S) as [|a rest]; [contradiction|].
    induction rest as [|b rest IH]; cbn.
    - destruct Ho as [->|[]]. lia.
    - destruct Ho as [->|[->|Ho]].
      + assert (H := IH (or_introl eq_refl)). lia.
      + lia.
      + assert (H := IH (or_intror Ho)). lia.
  Qed.

  Lemma lead_reached S :
    (others S = [] /\ lead S = 0%Z) \/
    exists r, In r candidates /\ r <> best S /\ lead S = (err S r - err S (best S))%Z.
  Proof.
    assert (G : others S = [] \/ exists r, In r (others S) /\
                lead S = (err S r - err S (best S))%Z).
    { unfold lead. destruct (others S) as [|a rest]; [now left|right].
      induction rest as [|b rest IH]; cbn.
      - exists a. auto.
      - destruct IH as (r & Hr & E). rewrite E.
        destruct (Z.min_spec (err S b - err S (best S)) (err S r - err S (best S))) as [[_ ->]|[_ ->]].
        + exists b. auto.
        + exists r. destruct Hr; auto. }
    destruct G as [E|(r & Hr & E)].
    - left. split; [assumption|]. unfold lead. now rewrite E.
    - right. exists r. apply filter_In in Hr as [Hr Hn]. repeat split; auto.
      intros ->. destruct (eq_dec (best S) (best S)); congruence.
  Qed.

  Lemma lead_nonneg S : best_is_best -> (0 <= lead S)%Z.
  Proof.
    intros Hb. destruct (Hb S) as [_ H]. destruct (lead_reached S) as [[_ E]|(r & Hr & _ & E)];
      rewrite E; [lia|]. specialize (H r Hr). lia.
  Qed.

  Variable neighbours : D -> D -> Prop.

  (** Between neighbours all errors move within one interval of length [w]. *)
  Definition integer_spread (w : Z) : Prop :=
    forall S S', neighbours S S' ->
    exists a, forall r, In r candidates -> (a <= err S' r - err S r <= a + w)%Z.

  (** The lead is a difference of two errors: it moves by at most [w] if the winner stays, and
      is at most [w] if the winner changes. *)
  Lemma lead_moves w S S' :
    best_is_best -> (0 <= w)%Z -> integer_spread w -> neighbours S S' ->
    (best S = best S' /\ (Z.abs (lead S - lead S') <= w)%Z) \/
    (best S <> best S' /\ (lead S <= w)%Z /\ (lead S' <= w)%Z).
  Proof.
    intros Hb Hw Hs Hn. destruct (Hs S S' Hn) as [a Ha].
    destruct (Hb S) as [B1 B2]. destruct (Hb S') as [B1' B2'].
    destruct (eq_dec (best S) (best S')) as [E|E].
    - left. split; [assumption|].
      assert (Ab := Ha (best S) B1).
      destruct (lead_reached S) as [[O1 L1]|(r & R1 & R2 & L1)].
      + destruct (lead_reached S') as [[O2 L2]|(r' & R1' & R2' & L2)]; [lia|].
        exfalso. assert (In r' (others S)); [|rewrite O1 in *; contradiction].
        apply filter_In. split; [assumption|]. destruct (eq_dec r' (best S)); congruence.
      + destruct (lead_reached S') as [[O2 L2]|(r' & R1' & R2' & L2)].
        * exfalso. assert (In r (others S')); [|rewrite O2 in *; contradiction].
          apply filter_In. split; [assumption|]. destruct (eq_dec r (best S')); congruence.
        * assert (U1 : r' <> best S) by congruence. assert (U2 : r <> best S') by congruence.
          assert (V1 := lead_le S r' R1' U1). assert (V2 := lead_le S' r R1 U2).
          assert (A1 := Ha r R1). assert (A2 := Ha r' R1'). rewrite <- E in *. lia.
    - right. split; [assumption|].
      assert (V1 := lead_le S (best S') B1' (not_eq_sym E)).
      assert (V2 := lead_le S' (best S) B1 E).
      assert (A1 := Ha _ B1). assert (A2 := Ha _ B1').
      assert (N1 := lead_nonneg S Hb). assert (N2 := lead_nonneg S' Hb). lia.
  Qed.

  (* code: tacit.mechanisms.gap_test.GapTest
     0 < epsilon <- check positive(epsilon)
     0 < delta <- check probability(delta)
     (0 < w)%Z <- object tacit.mechanisms.score.Score.spread
     (1 <= reach)%Z <- object tacit.exact.geometric_tails.reach
     ln (1 / (delta * (1 + exp (- (epsilon / IZR w))))) / (epsilon / IZR w) <= IZR reach <- object tacit.mechanisms.gap_test.GapTest.threshold
     NoDup candidates <- requires the candidates are the same public set for all data
     best_is_best <- object tacit.mechanisms.gap_test.leader
     integer_spread w <- requires between neighbours all errors move within an interval of length `w = score.spread(relation)` *)
  Theorem gap_test_private epsilon delta w reach :
    0 < epsilon -> 0 < delta -> (0 < w)%Z -> (1 <= reach)%Z ->
    ln (1 / (delta * (1 + exp (- (epsilon / IZR w))))) / (epsilon / IZR w) <= IZR reach ->
    NoDup candidates -> best_is_best -> integer_spread w ->
    approximate neighbours epsilon delta (gap_test (epsilon / IZR w) (w + reach)).
  Proof.
    intros He Hdel Hw H1 Hm Hd Hb Hs S S' Hn event Hev.
    assert (Hw' : 0 < IZR w) by now apply (IZR_lt 0).
    set (x := epsilon / IZR w) in *.
    assert (Hx : 0 < x) by (apply Rdiv_lt_0_compat; assumption).
    assert (Hxw : x * IZR w = epsilon) by (unfold x; field; lra).
    clearbody x.
    assert (Hreach := reach_enough x delta reach Hx Hdel H1 Hm).
    assert (He1 : 1 <= exp epsilon) by (rewrite <- exp_0; apply exp_monotone; lra).
    destruct (lead_moves w S S' Hb ltac:(lia) Hs Hn) as [[E Hl]|(E & Hl & Hl')].
    - (* the same winner: a shift of the noise *)
      assert (Hshift : forall m k, (Z.abs k <= w)%Z -> tail x m <= exp epsilon * tail x (m + k)).
      { intros m k Hk. eapply Rle_trans; [apply (tail_shift x m k Hx)|].
        apply Rmult_le_compat_r; [now apply tail_bounds|]. apply exp_monotone. rewrite <- Hxw.
        apply Rmult_le_compat_l; [lra|]. now apply IZR_le. }
      assert (Hp : forall o, gap_test x (w + reach) S o <= exp epsilon * gap_test x (w + reach) S' o).
      { intros [r|]; cbn.
        - rewrite E. destruct (eq_dec r (best S')); [|lra].
          replace (w + reach - lead S')%Z with (w + reach - lead S + (lead S - lead S'))%Z by lia.
          apply Hshift. lia.
        - assert (C1 := tail_complement x (w + reach - lead S)).
          assert (C2 := tail_complement x (w + reach - lead S')).
          replace (1 - tail x (w + reach - lead S)) with (tail x (1 - (w + reach - lead S))) by lra.
          replace (1 - tail x (w + reach - lead S')) with (tail x (1 - (w + reach - lead S'))) by lra.
          replace (1 - (w + reach - lead S'))%Z
            with (1 - (w + reach - lead S) + (lead S' - lead S))%Z by lia.
          apply Hshift. lia. }
      assert (sum event (gap_test x (w + reach) S) <= exp epsilon * sum event (gap_test x (w + reach) S'));
        [|lra]. rewrite <- sum_scal. apply sum_le. auto.
    - (* another winner: on both sides a release is unlikely *)
      assert (Hr : forall k, (k <= w)%Z -> tail x (w + reach - k) <= delta).
      { intros k Hk. eapply Rle_trans; [|exact Hreach].
        assert (G := geometric_from x reach (Z.to_nat (w - k)) Hx).
        replace (reach + Z.of_nat (Z.to_nat (w - k)))%Z with (w + reach - k)%Z in G by lia.
        assert (0 <= sum (from reach (Z.to_nat (w - k))) (geometric x))
          by (apply sum_nonneg; intros; now apply geometric_nonneg). lra. }
      assert (F := gap_test_law x (w + reach) S Hx Hd Hb).
      assert (F' := gap_test_law x (w + reach) S' Hx Hd Hb).
      assert (L := law_mass _ (finite_law_law _ _ F)). destruct L as [Lp Lm].
      destruct F' as (_ & Fp' & _ & _).
      assert (Hpos : 0 <= sum event (gap_test x (w + reach) S')) by (apply sum_nonneg; auto).
      destruct (in_dec (fun a b : option C => ltac:(decide equality) : {a = b} + {a <> b}) None event)
        as [Hi|Hi].
      + assert (G : gap_test x (w + reach) S' None <= sum event (gap_test x (w + reach) S'))
          by (apply sum_term; auto).
        cbn in G. specialize (Lm event Hev). specialize (Hr (lead S') Hl'). nra.
      + assert (G : sum event (gap_test x (w + reach) S) <= tail x (w + reach - lead S)).
        { assert (T := tail_bounds x (w + reach - lead S) Hx).
          destruct (in_dec (fun a b : option C => ltac:(decide equality) : {a = b} + {a <> b})
                      (Some (best S)) event) as [Hb'|Hb'].
          - apply in_split in Hb' as (e1 & e2 & ->). apply NoDup_remove in Hev as [_ Hev].
            rewrite sum_app, sum_cons, (sum_zero e1), (sum_zero e2).
            + cbn. destruct (eq_dec (best S) (best S)); [lra|congruence].
            + intros [r|] Hr'; cbn.
              * destruct (eq_dec r (best S)) as [->|]; [|reflexivity].
                exfalso. apply Hev, in_or_app. now right.
              * exfalso. apply Hi, in_or_app. right. now right.
            + intros [r|] Hr'; cbn.
              * destruct (eq_dec r (best S)) as [->|]; [|reflexivity].
                exfalso. apply Hev, in_or_app. now left.
              * exfalso. apply Hi, in_or_app. now left.
          - rewrite sum_zero; [lra|]. intros [r|] Hr'; cbn; [|contradiction].
            destruct (eq_dec r (best S)) as [->|]; [contradiction|reflexivity]. }
        specialize (Hr (lead S) Hl). nra.
  Qed.
End GapTest.

(** ** As printed *)

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
(* code: tacit.checks.attacks.specimens.PrintedGapTest
   0 < epsilon <- requires `epsilon > 0`
   0 < delta <= 1 <- requires `0 < delta < 1`
   delta' < (1 - exp (- epsilon)) / 2 <- object tacit.checks.attacks.specimens.PrintedGapTest.true_delta *)
Theorem printed_gap_test_not_private epsilon delta delta' :
  0 < epsilon -> 0 < delta <= 1 -> delta' < (1 - exp (- epsilon)) / 2 ->
  ~ approximate replace_one epsilon delta'
      (printed_gap_test bool_dec [true; false] lost_votes most_voted epsilon delta).
Proof.
  intros He Hdel Hd' H.
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
(* code: tacit.checks.attacks.specimens.PrintedGapTest
*)
Theorem printed_gap_test_example :
  ~ approximate replace_one 1 (31 / 100)
      (printed_gap_test bool_dec [true; false] lost_votes most_voted 1 (1 / 1000000)).
Proof.
  apply printed_gap_test_not_private; [lra|lra|].
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
