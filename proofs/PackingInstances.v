(** Two lower bounds as instances of the packing bounds.

    rare_point           Beimel, Brenner, Kasiviswanathan and Nissim, Lemma 3.9
                         (tacit.problems.points.points_lower)
    apart                Chaudhuri and Hsu, Theorem 12, for finitely many values
                         (tacit.problems.reals.covers_lower.packed_hypotheses)

    Chaudhuri and Hsu's Theorem 5 (thresholds on the unit interval, records replaced, and a law
    of its own for each threshold) is not among them: [apart] keeps one law of the values and
    changes labels only. *)
From Coq Require Import Reals Lra List Bool Lia Arith.
From Tacit Require Import Sums Definitions Composition Groups Packing MasterBound Coupling PackingSpread.
Import ListNotations.
Open Scope R_scope.

(** ** Laws on two values *)
Section TwoPoints.
  Context {Z : Type}.
  Variable eq_dec : forall x y : Z, {x = y} + {x <> y}.

  (** [a] with probability [q], else [b]. *)
  Definition two_points (a b : Z) (q : R) (z : Z) : R :=
    if eq_dec z a then q else if eq_dec z b then 1 - q else 0.

  Lemma two_points_sum a b q (g : Z -> R) : a <> b ->
    sum [a; b] (fun z => two_points a b q z * g z) = q * g a + (1 - q) * g b.
  Proof.
    intros Hab. simpl. unfold two_points. destruct (eq_dec a a); [|congruence].
    destruct (eq_dec b a); [congruence|]. destruct (eq_dec b b); [ring|congruence].
  Qed.

  Lemma two_points_law a b q : a <> b -> 0 <= q <= 1 -> finite_law [a; b] (two_points a b q).
  Proof.
    intros Hab Hq. repeat split.
    - repeat constructor; simpl; intuition congruence.
    - intros z. unfold two_points. destruct (eq_dec z a); [lra|]. destruct (eq_dec z b); lra.
    - intros z Hz. unfold two_points. destruct (eq_dec z a); [subst; elim Hz; now left|].
      destruct (eq_dec z b); [subst; elim Hz; right; now left|reflexivity].
    - rewrite (sum_ext _ _ (fun z => two_points a b q z * 1)) by (intros; ring).
      rewrite two_points_sum by assumption. ring.
  Qed.
End TwoPoints.

(** A law's answers add up, also on average. *)
Lemma answers_complement {Z O} (m : mechanism (list Z) O) (outcomes : list O) n
  (examples : list Z) (p : Z -> R) (good bad : O -> bool) beta :
  finite_law examples p -> (forall S, finite_law outcomes (m S)) ->
  (forall o, In o outcomes -> bad o = negb (good o)) ->
  sum (samples examples n) (fun S => sample_mass p S * probability outcomes (m S) bad) <= beta ->
  1 - beta <= answers m outcomes n examples p good.
Proof.
  intros Hp Hm Hgb Hbad. unfold answers.
  assert (T : sum (samples examples n) (sample_mass p) = 1) by now apply base_mass.
  assert (E : sum (samples examples n) (fun S => sample_mass p S * probability outcomes (m S) good)
    = 1 - sum (samples examples n) (fun S => sample_mass p S * probability outcomes (m S) bad)).
  { rewrite <- T, <- sum_minus. apply sum_ext. intros S _. destruct (Hm S) as (_ & _ & _ & H1).
    replace (probability outcomes (m S) good) with (1 - probability outcomes (m S) bad); [ring|].
    unfold probability. rewrite <- H1, <- sum_minus. apply sum_ext. intros o Ho.
    rewrite (Hgb o Ho). destruct (good o); simpl; ring. }
  rewrite E. lra.
Qed.

Lemma finite_law_sublaw {O} (outcomes : list O) (p : O -> R) : finite_law outcomes p -> sublaw p.
Proof. intros H. apply law_sublaw. now apply (finite_law_law outcomes). Qed.

Lemma sum_hits (l : list nat) j : NoDup l -> sum l (fun i => one (Nat.eqb j i)) <= 1.
Proof.
  induction 1 as [|i l Hi Hd IH]; simpl; [lra|]. unfold one at 1.
  destruct (Nat.eqb_spec j i) as [->|]; [|lra]. rewrite sum_zero; [lra|].
  intros k Hk. unfold one. destruct (Nat.eqb_spec i k); [now subst|reflexivity].
Qed.

(** ** Points *)
Section RarePoint.
  (** The point functions on [0 .. size - 1], named by their point. *)
  Definition point (i x : nat) : bool := Nat.eqb i x.
  Variable size : nat.
  Variable m : mechanism (list (nat * bool)) nat.
  Variables epsilon delta alpha beta : R.
  Variable n : nat.
  Let points := seq 0 size.

  Definition record_dec : forall x y : nat * bool, {x = y} + {x <> y}.
  Proof. decide equality; [apply bool_dec|apply Nat.eq_dec]. Defined.
  Definition pair_dec : forall x y : (nat * bool) * (nat * bool), {x = y} + {x <> y}.
  Proof. decide equality; apply record_dec. Defined.

  (** A proper private learner of points needs [phi n <= beta / (size - 2)], where each
      record shows the rare point with any probability [q] above [alpha]. *)
  Theorem rare_point_above q edge : (3 <= size)%nat ->
    0 < epsilon -> 0 <= delta -> 0 <= alpha < q -> q <= 1 ->
    (forall S, finite_law points (m S)) ->
    approximate replace_one epsilon delta m ->
    pac alpha beta n points point m ->
    phi n q epsilon beta edge <= beta / INR (size - 2) + lost epsilon delta.
  Proof.
    intros Hsize He Hd [Ha0 Ha] Hq Hlaw Hpriv Hpac.
    set (rare := fun i : nat => (i, true)). set (common := (0%nat, false)).
    assert (Hne : forall i, rare i <> common) by (intros i; discriminate).
    set (law_at := fun i => two_points record_dec (rare i) common q).
    set (both := fun i => (rare 1%nat, rare i)). set (none := (common, common)).
    assert (Hne' : forall i, both i <> none) by (intros i; discriminate).
    set (differ := fun w : (nat * bool) * (nat * bool) => Nat.eqb (fst (fst w)) 1).
    assert (Hacc : forall i, (0 < i < size)%nat ->
      1 - beta <= answers m points n [rare i; common] (law_at i) (fun j => Nat.eqb j i)).
    { intros i Hi.
      assert (Herr : forall j, error [rare i; common] (law_at i) (point j)
        = q * INR (wrong (point j) (rare i)) + (1 - q) * INR (wrong (point j) common))
        by (intros j; exact (two_points_sum record_dec (rare i) common q
              (fun z => INR (wrong (point j) z)) (Hne i))).
      apply (answers_complement m points n _ _ _
        (fun j => if Rlt_dec alpha (error [rare i; common] (law_at i) (point j)) then true else false)).
      - apply two_points_law; [apply Hne|lra].
      - assumption.
      - intros j _. rewrite Herr. unfold wrong, point, rare, common; simpl.
        destruct (Nat.eqb_spec j i) as [->|Hj]; simpl.
        + destruct (Nat.eqb_spec i 0); [lia|]. simpl. rewrite !Rmult_0_r, Rplus_0_r.
          destruct (Rlt_dec alpha 0); [lra|reflexivity].
        + destruct (Rlt_dec _ _) as [|N]; [reflexivity|]. exfalso. apply N.
          destruct (Nat.eqb j 0); simpl; lra.
      - eapply Rle_trans; [|apply (Hpac [rare i; common] (law_at i))].
        + right. apply sum_ext. intros S _. f_equal. unfold probability. apply sum_ext. intros j _.
          destruct (Rlt_dec _ _); reflexivity.
        + split; [apply two_points_law; [apply Hne|lra]|]. exists i. split.
          * unfold points. apply in_seq. lia.
          * intros z [<-|[<-|[]]] _; unfold point, rare, common; simpl; [apply Nat.eqb_refl|].
            apply Nat.eqb_neq. lia. }
    replace epsilon with (INR 1 * epsilon) at 1 by (simpl; ring).
    replace (size - 2)%nat with (length (seq 2 (size - 2))) by now rewrite seq_length.
    apply (packed replace_one m points epsilon delta beta q n 1) with
      (base_examples := [rare 1%nat; common]) (base_law := law_at 1%nat)
      (examples := fun i => [rare i; common]) (law_of := law_at)
      (pairs := fun i => [both i; none]) (coupling := fun i => two_points pair_dec (both i) none q)
      (differ := fun _ => differ) (good := fun i j => Nat.eqb j i) (base_good := fun j => Nat.eqb j 1);
      try assumption.
    - apply seq_NoDup.
    - intros S. now apply (finite_law_sublaw points).
    - intros E. apply (f_equal (@length nat)) in E. rewrite seq_length in E. simpl in E. lia.
    - apply two_points_law; [apply Hne|lra].
    - intros i _. apply two_points_law; [apply Hne'|lra].
    - intros i _ g. unfold law_at. rewrite !two_points_sum by auto. reflexivity.
    - intros i _ g. unfold law_at. rewrite !two_points_sum by auto. reflexivity.
    - intros i _. unfold chance. rewrite two_points_sum by auto. unfold one, differ; simpl. lra.
    - intros i w _ [<-|[<-|[]]]; unfold differ; simpl; [discriminate|reflexivity].
    - intros i w _ _ _ b a. simpl. exists (b ++ fst w :: a). split; [|reflexivity].
      now exists b, (snd w), (fst w), a.
    - intros i Hi. apply in_seq in Hi. apply Hacc. lia.
    - intros j _. apply (sum_hits (1%nat :: seq 2 (size - 2)) j). change (NoDup (seq 1 (S (size - 2)))).
      apply seq_NoDup.
    - apply Hacc. lia.
  Qed.

  (** As the code has it: [phi] at [alpha] itself. *)
  (* code: tacit.problems.points.points_lower.rare_point
     (3 <= size)%nat <- check whole(size)
     0 < epsilon <- object tacit.bounds.lower.packing.Budget.of
     0 <= delta <- object tacit.bounds.lower.packing.Budget.of
     0 <= alpha < 1 <- check probability(alpha)
     (forall S, finite_law points (m S)) <- requires finitely many answers, each listed once, whose probabilities add up to 1
     approximate replace_one epsilon delta m <- requires is `(epsilon, delta)`-private
     pac alpha beta n points point m <- requires answers well, with probability `1 - beta`, for every distribution of a family *)
  Theorem rare_point edge : (3 <= size)%nat ->
    0 < epsilon -> 0 <= delta -> 0 <= alpha < 1 ->
    (forall S, finite_law points (m S)) ->
    approximate replace_one epsilon delta m ->
    pac alpha beta n points point m ->
    phi n alpha epsilon beta edge <= beta / INR (size - 2) + lost epsilon delta.
  Proof.
    intros Hsize He Hd Ha Hlaw Hpriv Hpac. set (target := beta / INR (size - 2) + lost epsilon delta).
    apply le_epsilon. intros gap Hgap.
    assert (Hn := pos_INR n).
    set (q' := alpha + Rmin (1 - alpha) (gap / (INR n + 1))).
    assert (Hg : 0 < gap / (INR n + 1)) by (apply Rdiv_lt_0_compat; lra).
    assert (Hq : alpha < q' <= 1).
    { unfold q'. split; [|pose proof (Rmin_l (1 - alpha) (gap / (INR n + 1))); lra].
      assert (0 < Rmin (1 - alpha) (gap / (INR n + 1))) by (apply Rmin_glb_lt; lra). lra. }
    pose proof (rare_point_above q' edge Hsize He Hd (conj (proj1 Ha) (proj1 Hq)) (proj2 Hq) Hlaw Hpriv Hpac) as P.
    fold target in P. unfold phi in *.
    set (f := fun k => Rmin (exp (- (epsilon * INR k))) (exp (- (epsilon * INR edge)))) in *.
    assert (Hf : forall k, 0 <= f k <= 1).
    { intros k. unfold f. split; [apply Rmin_glb; apply exp_ge_0|].
      eapply Rle_trans; [apply Rmin_l|]. rewrite <- exp_0.
      assert (0 <= epsilon * INR k) by (apply Rmult_le_pos; [lra|apply pos_INR]).
      destruct H as [H|H]; [left; apply exp_increasing; lra|rewrite <- H, Ropp_0; lra]. }
    assert (L := binomial_mean_lipschitz n alpha q' f ltac:(lra) (proj2 Hq) Hf).
    assert (INR n * (q' - alpha) <= gap).
    { assert (q' - alpha <= gap / (INR n + 1)) by (unfold q'; pose proof (Rmin_r (1 - alpha) (gap / (INR n + 1))); lra).
      apply Rle_trans with ((INR n + 1) * (gap / (INR n + 1))); [|right; field; lra].
      apply Rmult_le_compat; lra. }
    lra.
  Qed.
End RarePoint.

(** ** Hypotheses far apart: only labels change, and all of them may *)
Section Apart.
  Context {X H O : Type}.
  Variable eq_dec : forall x y : X, {x = y} + {x <> y}.
  Variable values : list X.
  Variable p : X -> R.
  Variable predict : H -> X -> bool.
  Variable outcomes : list O.
  Variable rule : O -> X -> bool.
  Variable m : mechanism (list (X * bool)) O.
  Variables epsilon delta alpha beta : R.
  Variable n : nat.
  Variable base : H.
  Variable others : list H.

  (** The probability that two rules disagree. *)
  Definition distance (f g : X -> bool) : R := sum values (fun x => p x * one (xorb (f x) (g x))).

  Definition labelled (h : H) : list (X * bool) := map (fun x => (x, predict h x)) values.
  Definition labelled_law (h : H) (z : X * bool) : R :=
    if Bool.eqb (snd z) (predict h (fst z)) then p (fst z) else 0.
  Definition close (h : H) (o : O) : bool :=
    if Rle_dec (distance (predict h) (rule o)) alpha then true else false.

  Lemma distance_triangle f g k : (forall x, 0 <= p x) -> distance f g <= distance f k + distance g k.
  Proof.
    intros Hp. unfold distance. rewrite <- sum_plus. apply sum_le. intros x _.
    rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l; [apply Hp|].
    unfold one. destruct (f x), (g x), (k x); simpl; lra.
  Qed.

  Lemma binomial_mean_1 k f : binomial_mean k 1 f = f k.
  Proof. revert f. induction k as [|k IH]; intros f; simpl; [reflexivity|]. rewrite !IH. ring. Qed.

  (** One answer is close to one hypothesis at most. *)
  Lemma close_once (l : list H) o : (forall x, 0 <= p x) -> NoDup l ->
    (forall h h', In h l -> In h' l -> h <> h' -> 2 * alpha < distance (predict h) (predict h')) ->
    sum l (fun h => one (close h o)) <= 1.
  Proof.
    intros Hp. induction 1 as [|h l Hh Hd IH]; intros Hfar; simpl; [lra|].
    unfold one at 1. destruct (close h o) eqn:E.
    - rewrite sum_zero; [lra|]. intros h' Hh'. unfold one. destruct (close h' o) eqn:E'; [|reflexivity].
      exfalso. unfold close in *. destruct (Rle_dec _ _) as [L|]; [|discriminate].
      destruct (Rle_dec (distance (predict h') _) _) as [L'|]; [|discriminate].
      assert (D := Hfar h h' (or_introl eq_refl) (or_intror Hh')).
      pose proof (distance_triangle (predict h) (predict h') (rule o) Hp).
      assert (h <> h') by (intros ->; contradiction). specialize (D H1). lra.
    - rewrite Rplus_0_l. apply IH. intros a b Ha Hb. apply Hfar; now right.
  Qed.

  Theorem apart_share :
    finite_law values p -> NoDup outcomes -> (forall S, sublaw (m S)) ->
    0 < epsilon -> 0 <= delta -> others <> [] ->
    approximate label epsilon delta m ->
    NoDup (base :: others) ->
    (forall h h', In h (base :: others) -> In h' (base :: others) -> h <> h' ->
       2 * alpha < distance (predict h) (predict h')) ->
    (forall h, In h (base :: others) ->
       1 - beta <= answers m outcomes n (labelled h) (labelled_law h) (close h)) ->
    (1 - beta) * exp (- (INR n * epsilon)) <= beta / INR (length others) + lost epsilon delta.
  Proof.
    intros Hp Hout Hlaw He Hd Hne Hpriv Hnd Hfar Hacc. destruct Hp as (Pd & P0 & Pz & P1).
    set (pair := fun h x => ((x, predict base x), (x, predict h x))).
    set (coupling := fun h (w : (X * bool) * (X * bool)) =>
      if eq_dec (fst (fst w)) (fst (snd w)) then
        if Bool.eqb (snd (fst w)) (predict base (fst (fst w))) &&
           Bool.eqb (snd (snd w)) (predict h (fst (snd w))) then p (fst (fst w)) else 0 else 0).
    assert (Hc : forall h x, coupling h (pair h x) = p x).
    { intros h x. unfold coupling, pair; simpl. destruct (eq_dec x x); [|congruence].
      now rewrite !Bool.eqb_reflx. }
    assert (Hl : forall h x, labelled_law h (x, predict h x) = p x)
      by (intros h x; unfold labelled_law; simpl; now rewrite Bool.eqb_reflx).
    assert (Hlab : forall h, finite_law (labelled h) (labelled_law h)).
    { intros h. repeat split.
      - unfold labelled. apply FinFun.Injective_map_NoDup; [|assumption]. intros x y E. congruence.
      - intros z. unfold labelled_law. destruct (Bool.eqb _ _); [apply P0|lra].
      - intros [x y] Hz. unfold labelled_law; simpl. destruct (Bool.eqb y (predict h x)) eqn:E; [|reflexivity].
        apply Pz. intros Hx. apply Hz. apply Bool.eqb_prop in E. subst. unfold labelled.
        apply in_map_iff. now exists x.
      - unfold labelled. rewrite sum_map, <- P1. apply sum_ext. intros x _. apply Hl. }
    replace ((1 - beta) * exp (- (INR n * epsilon))) with (phi n 1 (INR 1 * epsilon) beta n).
    2:{ unfold phi. rewrite binomial_mean_1, Rmin_left by lra. simpl (INR 1). rewrite Rmult_1_l.
        rewrite (Rmult_comm epsilon). ring. }
    apply (packed label m outcomes epsilon delta beta 1 n 1) with
      (base_examples := labelled base) (base_law := labelled_law base)
      (examples := labelled) (law_of := labelled_law)
      (pairs := fun h => map (pair h) values) (coupling := coupling)
      (differ := fun _ _ => true) (good := close) (base_good := close base); try assumption.
    - apply Hlab.
    - intros h _. repeat split.
      + apply FinFun.Injective_map_NoDup; [|assumption]. intros x y E. unfold pair in E. congruence.
      + intros w. unfold coupling. destruct (eq_dec _ _); [|lra].
        destruct (_ && _); [apply P0|lra].
      + intros [[x y] [x' y']] Hw. unfold coupling; simpl. destruct (eq_dec x x') as [->|]; [|reflexivity].
        destruct (Bool.eqb y (predict base x') && Bool.eqb y' (predict h x')) eqn:E; [|reflexivity].
        apply andb_prop in E. destruct E as [E E']. apply Bool.eqb_prop in E. apply Bool.eqb_prop in E'.
        apply Pz. intros Hx. apply Hw. subst. apply in_map_iff. now exists x'.
      + rewrite sum_map, <- P1. apply sum_ext. intros x _. apply Hc.
    - intros h _ g. unfold labelled. rewrite !sum_map. apply sum_ext. intros x _. now rewrite Hc, Hl.
    - intros h _ g. unfold labelled. rewrite !sum_map. apply sum_ext. intros x _. now rewrite Hc, Hl.
    - intros h _. unfold chance. rewrite sum_map, <- P1. right. apply sum_ext. intros x _.
      rewrite Hc. unfold one. ring.
    - lra.
    - intros; discriminate.
    - intros h w _ Hw _ b a. apply in_map_iff in Hw. destruct Hw as (x & <- & _). simpl.
      eexists. split; [|reflexivity]. now exists b, x, (predict h x), (predict base x), a.
    - intros h Hh. apply Hacc. now right.
    - intros o _. exact (close_once (base :: others) o P0 Hnd Hfar).
    - apply Hacc. now left.
  Qed.

  (** The number of records, in the code's form. *)
  (* code: tacit.problems.reals.covers_lower.packed_hypotheses
     finite_law values p <- requires every distribution has finitely many values
     NoDup outcomes <- requires finitely many answers, each listed once, whose probabilities add up to 1
     (forall S, sublaw (m S)) <- requires finitely many answers, each listed once, whose probabilities add up to 1
     0 < epsilon <- object tacit.bounds.lower.packing.Budget.of
     0 <= delta <- object tacit.bounds.lower.packing.Budget.of
     0 < beta < 1 <- check probability(beta)
     others <> [] <- requires there is at least one alternative
     approximate label epsilon delta m <- requires is `(epsilon, delta)`-private
     NoDup (base :: others) <- check whole(packing)
     (forall h h', In h (base :: others) -> In h' (base :: others) -> h <> h' -> 2 * alpha < distance (predict h) (predict h')) <- object tacit.problems.reals.covers_lower.THEOREM_12
     (forall h, In h (base :: others) -> 1 - beta <= answers m outcomes n (labelled h) (labelled_law h) (close h)) <- requires answers well, with probability `1 - beta`, for every distribution of a family *)
  Theorem apart :
    finite_law values p -> NoDup outcomes -> (forall S, sublaw (m S)) ->
    0 < epsilon -> 0 <= delta -> 0 < beta < 1 -> others <> [] ->
    approximate label epsilon delta m ->
    NoDup (base :: others) ->
    (forall h h', In h (base :: others) -> In h' (base :: others) -> h <> h' ->
       2 * alpha < distance (predict h) (predict h')) ->
    (forall h, In h (base :: others) ->
       1 - beta <= answers m outcomes n (labelled h) (labelled_law h) (close h)) ->
    ln ((1 - beta) / (beta / INR (length others) + lost epsilon delta)) / epsilon <= INR n.
  Proof.
    intros Hp Hout Hlaw He Hd Hb Hne Hpriv Hnd Hfar Hacc.
    apply steps_needed; [assumption| |lra|now apply apart_share].
    assert (0 < INR (length others)) by (apply lt_0_INR; destruct others; [congruence|simpl; lia]).
    assert (exp 0 < exp epsilon) by now apply exp_increasing. rewrite exp_0 in *.
    apply Rplus_lt_le_0_compat; [apply Rdiv_lt_0_compat; lra|]. unfold lost.
    apply Rmult_le_pos; [assumption|]. left. apply Rinv_0_lt_compat. lra.
  Qed.
End Apart.
