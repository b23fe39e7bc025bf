(** The gap test: tacit.mechanisms.gap_test.GapTest is private. The test as printed is not:
    PrintedGapTest.v. *)
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

  (** It lives on two outcomes. *)
  Lemma release_best_here chance S : 0 <= chance S <= 1 ->
    finite_law [None; Some (best S)] (release_best chance S).
  Proof.
    intros Hc. unfold release_best. split; [|split; [|split]].
    - constructor; [intros [E|[]]; discriminate|]. constructor; [intros []|constructor].
    - intros [r|]; [destruct (eq_dec _ _)|]; lra.
    - intros [r|] Ho; [|destruct Ho; now left]. destruct (eq_dec r (best S)) as [->|]; [|reflexivity].
      destruct Ho. right. now left.
    - rewrite !sum_cons, sum_nil. destruct (eq_dec _ _); [lra|congruence].
  Qed.

  (* code: tacit.mechanisms.gap_test.GapTest
     0 < x <- object tacit.mechanisms.gap_test.GapTest.scale: return self.score.spread(self.relation) / self.epsilon
     NoDup candidates <- requires the candidates are the same public set for all data
     best_is_best <- object tacit.mechanisms.gap_test.leader: A best candidate and by how much its error is below that of every other one. *)
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
     (0 < w)%Z <- object tacit.mechanisms.score.Score.spread: A positive length ``w`` such that
     ln (1 / (delta * (1 + exp (- (epsilon / IZR w))))) / (epsilon / IZR w) <= IZR reach <- object tacit.mechanisms.gap_test.GapTest.threshold: return self.score.spread(self.relation) + reach(self.scale, self.delta)
     best_is_best <- object tacit.mechanisms.gap_test.leader: A best candidate and by how much its error is below that of every other one.
     integer_spread w <- requires between neighbours all errors move within an interval of length `w = score.spread(relation)` *)
  Theorem gap_test_private epsilon delta w reach :
    0 < epsilon -> 0 < delta -> (0 < w)%Z ->
    ln (1 / (delta * (1 + exp (- (epsilon / IZR w))))) / (epsilon / IZR w) <= IZR reach ->
    best_is_best -> integer_spread w ->
    approximate neighbours epsilon delta (gap_test (epsilon / IZR w) (w + reach)).
  Proof.
    intros He Hdel Hw Hm Hb Hs S S' Hn event Hev.
    assert (Hw' : 0 < IZR w) by now apply (IZR_lt 0).
    set (x := epsilon / IZR w) in *.
    assert (Hx : 0 < x) by (apply Rdiv_lt_0_compat; assumption).
    assert (Hxw : x * IZR w = epsilon) by (unfold x; field; lra).
    clearbody x.
    assert (Hreach := reach_enough x delta reach Hx Hdel Hm).
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
      assert (F := release_best_here (fun S => tail x (w + reach - lead S)) S (tail_bounds x _ Hx)).
      assert (F' := release_best_here (fun S => tail x (w + reach - lead S)) S' (tail_bounds x _ Hx)).
      fold (gap_test x (w + reach)) in F, F'.
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

(** ** Scores that add up record by record

    A mistake counts 1 against a rule (tacit.mechanisms.score.Mistakes), an occurrence -1 against
    its value (tacit.problems.points.frequent_item.Counts). *)
Section RecordByRecord.
  Context {record C : Type}.
  Variable candidates : list C.
  Variable against : record -> C -> Z.
  Variable low : Z.
  Hypothesis within_one : forall z r, (low <= against z r <= low + 1)%Z.

  Definition added_up (S : list record) (r : C) : Z :=
    fold_right (fun z x => (against z r + x)%Z) 0%Z S.

  Lemma added_up_split before z after r :
    added_up (before ++ z :: after) r = (added_up (before ++ after) r + against z r)%Z.
  Proof.
    unfold added_up. induction before as [|y before IH]; cbn [app fold_right]; [lia|].
    rewrite IH. lia.
  Qed.

  (* code: tacit.mechanisms.gap_test.GapTest
     forall z r, (low <= against z r <= low + 1)%Z <- requires between neighbours all errors move within an interval of length `w = score.spread(relation)` *)
  Theorem added_up_spread_replace_one : integer_spread candidates added_up replace_one 2.
  Proof.
    intros S S' (b & x & x' & a & -> & ->). exists (-1)%Z. intros r _.
    rewrite !added_up_split. pose proof (within_one x r). pose proof (within_one x' r). lia.
  Qed.

  (* code: tacit.mechanisms.gap_test.GapTest
     forall z r, (low <= against z r <= low + 1)%Z <- requires between neighbours all errors move within an interval of length `w = score.spread(relation)` *)
  Theorem added_up_spread_add_remove : integer_spread candidates added_up add_remove 1.
  Proof.
    intros S S' [(b & x & a & -> & ->)|(b & x & a & -> & ->)].
    - exists low. intros r _. rewrite added_up_split. pose proof (within_one x r). lia.
    - exists (- (low + 1))%Z. intros r _. rewrite added_up_split. pose proof (within_one x r). lia.
  Qed.
End RecordByRecord.

(** A label that changes: the gap test on labelled records, with the constants of [w = 2]. *)
(* code: tacit.mechanisms.gap_test.GapTest
   (forall z r, (low <= against z r <= low + 1)%Z) <- requires between neighbours all errors move within an interval of length `w = score.spread(relation)`
   0 < epsilon <- check positive(epsilon)
   0 < delta <- check probability(delta)
   ln (1 / (delta * (1 + exp (- (epsilon / 2))))) / (epsilon / 2) <= IZR reach <- object tacit.mechanisms.gap_test.GapTest.threshold: return self.score.spread(self.relation) + reach(self.scale, self.delta)
   best_is_best candidates (added_up against) best <- object tacit.mechanisms.gap_test.leader: A best candidate and by how much its error is below that of every other one. *)
Theorem gap_test_label {X Y C} (eq_dec : forall r s : C, {r = s} + {r <> s}) (candidates : list C)
  (against : X * Y -> C -> Z) (low : Z) (best : list (X * Y) -> C) epsilon delta reach :
  (forall z r, (low <= against z r <= low + 1)%Z) ->
  0 < epsilon -> 0 < delta ->
  ln (1 / (delta * (1 + exp (- (epsilon / 2))))) / (epsilon / 2) <= IZR reach ->
  best_is_best candidates (added_up against) best ->
  approximate label epsilon delta
    (gap_test eq_dec candidates (added_up against) best (epsilon / 2) (2 + reach)).
Proof.
  intros Hw He Hdel Hm Hb.
  refine (gap_test_private eq_dec candidates (added_up against) best label epsilon delta 2 reach
    He Hdel ltac:(lia) Hm Hb _).
  intros S S' Hn. apply (added_up_spread_replace_one candidates against low Hw).
  now apply label_is_replace_one.
Qed.
