(** The stability histogram: tacit.mechanisms.stability.StabilityHistogram.

    A release is written as one entry for each value of the public domain, in its order:
    [Some z] if the pair (value, z) is released, [None] if not. The sorted pairs that the
    code returns are the entries that are not [None]. *)
From Coquelicot Require Import Coquelicot.
From Coq Require Import Reals Lra List Bool Lia ZArith.
From Tacit Require Import Sums Definitions Vectors Geometric Bins.
Import ListNotations.
Open Scope R_scope.

Section Histogram.
  Context {record V : Type}.
  Variable eq_dec : forall v u : V, {v = u} + {v <> u}.
  (** The public domain, and the value of it, if any, that a record counts for. *)
  Variable domain : list V.
  Variable place : record -> option V.

  Definition hits (v : V) (z : record) : nat :=
    match place z with Some u => if eq_dec u v then 1 else 0 | None => 0 end.

  (** How often a value occurs. *)
  Definition occurrences (S : list record) (v : V) : nat := list_sum (map (hits v) S).

  Definition histogram (x : R) (threshold : Z) : mechanism (list record) (list (option Z)) :=
    fun S => vector (map (fun v => bin x threshold (occurrences S v)) domain).

  (* code: tacit.mechanisms.stability.StabilityHistogram
     0 < x <- object tacit.mechanisms.stability.StabilityHistogram.scale: return noise_scale(epsilon=self.epsilon, relation=self.relation) *)
  Theorem histogram_law x threshold S : 0 < x -> law (histogram x threshold S).
  Proof.
    intros H. apply vector_law, Forall_map, Forall_forall. intros v _. now apply bin_law.
  Qed.

  Lemma occurrences_split before z after v :
    occurrences (before ++ z :: after) v = (occurrences (before ++ after) v + hits v z)%nat.
  Proof.
    unfold occurrences. rewrite !map_app. cbn [map]. rewrite !list_sum_app.
    change (list_sum (hits v z :: map (hits v) after)) with (hits v z + list_sum (map (hits v) after))%nat.
    lia.
  Qed.

  Lemma hits_other u v z : place z = Some u -> v <> u -> hits v z = 0%nat.
  Proof. intros E Hn. unfold hits. rewrite E. destruct (eq_dec u v); congruence. Qed.

  Lemma hits_own u z : place z = Some u -> hits u z = 1%nat.
  Proof. intros E. unfold hits. rewrite E. destruct (eq_dec u u); congruence. Qed.

  Lemma hits_none v z : place z = None -> hits v z = 0%nat.
  Proof. intros E. unfold hits. now rewrite E. Qed.

  Lemma laws x threshold (count : V -> nat) l : 0 < x ->
    Forall law (map (fun v => bin x threshold (count v)) l).
  Proof. intros H. apply Forall_map, Forall_forall. intros v _. now apply bin_law. Qed.

  Lemma near_refl {O} c delta (q : O -> R) : 1 <= c -> 0 <= delta -> (forall o, 0 <= q o) ->
    near c delta q q.
  Proof.
    intros Hc Hd Hq. exists (fun _ => 0). split.
    - split; [intros; lra|]. intros l _. rewrite sum_zero by reflexivity. lra.
    - intros o. specialize (Hq o). nra.
  Qed.

  (** The counts differ for one value only. *)
  Lemma near_bin x delta reach (k k' : V -> nat) u c :
    0 < x -> 1 <= c -> 0 <= delta -> NoDup domain ->
    (forall v, v <> u -> k v = k' v) ->
    near c delta (bin x (1 + reach) (k u)) (bin x (1 + reach) (k' u)) ->
    near c delta (vector (map (fun v => bin x (1 + reach) (k v)) domain))
                 (vector (map (fun v => bin x (1 + reach) (k' v)) domain)).
  Proof.
    intros Hx Hc Hdel Hd Hk Hn. destruct (in_dec eq_dec u domain) as [Hi|Hi].
    - apply in_split in Hi as (l & r & ->). apply NoDup_remove_2 in Hd.
      rewrite !map_app. cbn [map].
      assert (E : forall m, incl m (l ++ r) -> map (fun v => bin x (1 + reach) (k' v)) m
                          = map (fun v => bin x (1 + reach) (k v)) m).
      { intros m Hm. apply map_ext_in. intros v Hv. rewrite Hk; [reflexivity|].
        intros ->. apply Hd. auto. }
      rewrite (E l), (E r) by auto with datatypes.
      apply (near_one None); auto using laws.
    - rewrite (map_ext_in (fun v => bin x (1 + reach) (k' v)) (fun v => bin x (1 + reach) (k v))).
      + apply near_refl; auto. intros o. apply vector_nonneg, Forall_map, Forall_forall.
        intros v _ o'. now apply bin_nonneg.
      + intros v Hv. rewrite Hk; [reflexivity|]. intros ->. contradiction.
  Qed.

  Lemma near_weaken {O} c c' delta (q q' : O -> R) : (forall o, 0 <= q' o) -> c <= c' ->
    near c delta q q' -> near c' delta q q'.
  Proof.
    intros Hq Hc (s & Hs & H). exists s. split; [assumption|]. intros o.
    specialize (H o). specialize (Hq o). nra.
  Qed.

  (** One value loses a record and another wins one. *)
  Lemma near_moved x delta reach (k k' : V -> nat) u u' :
    0 < x -> 0 <= delta -> tail x reach <= delta -> NoDup domain -> u <> u' ->
    (forall v, v <> u -> v <> u' -> k v = k' v) -> k u = S (k' u) -> k' u' = S (k u') ->
    near (exp (2 * x)) delta (vector (map (fun v => bin x (1 + reach) (k v)) domain))
                             (vector (map (fun v => bin x (1 + reach) (k' v)) domain)).
  Proof.
    intros Hx Hdel Hr Hd Hne Hk Hu Hu'.
    assert (E := exp_x_1 x Hx). assert (E2 : exp x <= exp (2 * x)) by (apply exp_monotone; lra).
    assert (N : forall o, 0 <= vector (map (fun v => bin x (1 + reach) (k' v)) domain) o).
    { intros o. apply vector_nonneg, Forall_map, Forall_forall. intros v _ o'. now apply bin_nonneg. }
    destruct (in_dec eq_dec u domain) as [Hi|Hi]; [destruct (in_dec eq_dec u' domain) as [Hi'|Hi']|].
    - destruct (bins_moved x delta reach Hx Hr (k' u) (k u')) as (f & g & m & m' & Hf & Hg & Hm & H).
      rewrite <- Hu, <- Hu' in H.
      assert (X : forall l, ~ In u l -> ~ In u' l ->
                map (fun v => bin x (1 + reach) (k' v)) l = map (fun v => bin x (1 + reach) (k v)) l).
      { intros l H1 H2. apply map_ext_in. intros v Hv. rewrite Hk; [reflexivity| |];
          intros ->; contradiction. }
      apply in_split in Hi as (l & r & Ed). rewrite Ed in *. apply NoDup_remove in Hd as [Hd1 Hd2].
      apply in_app_or in Hi' as [Hi'|[Hi'|Hi']]; [|congruence|].
      + apply in_split in Hi' as (l1 & l2 & ->). rewrite <- app_assoc in Hd1, Hd2 |- *.
        cbn [app] in *. apply NoDup_remove_2 in Hd1.
        rewrite !map_app. cbn [map]. rewrite !map_app. cbn [map].
        assert (Y : forall m0, incl m0 (l1 ++ u' :: l2 ++ r) -> incl m0 (l1 ++ l2 ++ r) ->
                  ~ In u m0 /\ ~ In u' m0) by (intros m0 I1 I2; split; auto).
        assert (Z1 : incl l1 (l1 ++ l2 ++ r)) by auto with datatypes.
        assert (Z2 : incl l2 (l1 ++ l2 ++ r)) by auto with datatypes.
        assert (Z3 : incl r (l1 ++ l2 ++ r)) by auto with datatypes.
        assert (Z : incl (l1 ++ l2 ++ r) (l1 ++ u' :: l2 ++ r)).
        { intros y Hy. apply in_app_or in Hy. apply in_or_app. cbn. tauto. }
        rewrite (X l1), (X l2), (X r); try (apply Y; eauto using incl_tran).
        apply (near_two None _ _ m' m _ _ _ _ _ _ _ g f); auto using laws; [lra|].
        intros o o'. specialize (H o' o). lra.
      + apply in_split in Hi' as (r1 & r2 & ->). rewrite app_assoc in Hd1.
        apply NoDup_remove_2 in Hd1.
        rewrite !map_app. cbn [map]. rewrite !map_app. cbn [map].
        assert (Y : forall m0, incl m0 (l ++ r1 ++ u' :: r2) -> incl m0 ((l ++ r1) ++ r2) ->
                  ~ In u m0 /\ ~ In u' m0) by (intros m0 I1 I2; split; auto).
        assert (Z1 : incl l ((l ++ r1) ++ r2)) by auto with datatypes.
        assert (Z2 : incl r1 ((l ++ r1) ++ r2)) by auto with datatypes.
        assert (Z3 : incl r2 ((l ++ r1) ++ r2)) by auto with datatypes.
        assert (Z : incl ((l ++ r1) ++ r2) (l ++ r1 ++ u' :: r2)).
        { intros y Hy. rewrite <- app_assoc in Hy. apply in_app_or in Hy as [Hy|Hy];
            apply in_or_app; [now left|right]. apply in_app_or in Hy. apply in_or_app. cbn. tauto. }
        rewrite (X l), (X r1), (X r2); try (apply Y; eauto using incl_tran).
        apply (near_two None _ _ m m' _ _ _ _ _ _ _ f g); auto using laws.
    - apply (near_weaken (exp x)); auto.
      rewrite (map_ext_in (fun v => bin x (1 + reach) (k' v))
                 (fun v => bin x (1 + reach) (if eq_dec v u then k' v else k v))).
      + apply (near_bin x delta reach k _ u); auto.
        * intros v Hv. destruct (eq_dec v u); congruence.
        * destruct (eq_dec u u); [|congruence]. rewrite Hu. now apply bin_removed.
      + intros v Hv. destruct (eq_dec v u); [reflexivity|]. rewrite Hk; auto. congruence.
    - apply (near_weaken (exp x)); auto.
      rewrite (map_ext_in (fun v => bin x (1 + reach) (k v))
                 (fun v => bin x (1 + reach) (if eq_dec v u' then k v else k' v))).
      + apply (near_bin x delta reach _ k' u'); auto.
        * intros v Hv. destruct (eq_dec v u'); congruence.
        * destruct (eq_dec u' u'); [|congruence]. rewrite Hu'. now apply bin_added.
      + intros v Hv. destruct (eq_dec v u'); [reflexivity|]. rewrite Hk; auto. congruence.
  Qed.

  (** A record comes or goes. *)
  Lemma near_comes x delta reach before z after :
    0 < x -> tail x reach <= delta -> NoDup domain ->
    near (exp x) delta (histogram x (1 + reach) (before ++ after))
                       (histogram x (1 + reach) (before ++ z :: after)) /\
    near (exp x) delta (histogram x (1 + reach) (before ++ z :: after))
                       (histogram x (1 + reach) (before ++ after)).
  Proof.
    intros Hx Hr Hd. assert (E := exp_x_1 x Hx). assert (B := tail_bounds x reach Hx).
    assert (Hdel : 0 <= delta) by lra. unfold histogram.
    destruct (place z) as [u|] eqn:Ez.
    - assert (Hk : forall v, v <> u ->
                occurrences (before ++ z :: after) v = occurrences (before ++ after) v).
      { intros v Hv. rewrite occurrences_split, (hits_other u v z Ez Hv). lia. }
      assert (Hu : occurrences (before ++ z :: after) u = S (occurrences (before ++ after) u)).
      { rewrite occurrences_split, hits_own by assumption. lia. }
      split; apply (near_bin x delta reach _ _ u); auto.
      + intros v Hv. symmetry. auto.
      + rewrite Hu. now apply bin_added.
      + rewrite Hu. now apply bin_removed.
    - assert (Hk : forall v, occurrences (before ++ z :: after) v = occurrences (before ++ after) v).
      { intros v. rewrite occurrences_split, hits_none by assumption. lia. }
      rewrite (map_ext (fun v => bin x (1 + reach) (occurrences (before ++ z :: after) v))
                 (fun v => bin x (1 + reach) (occurrences (before ++ after) v)))
        by (intros v; now rewrite Hk).
      assert (N : forall o, 0 <= vector (map (fun v => bin x (1 + reach)
                                    (occurrences (before ++ after) v)) domain) o).
      { intros o. apply vector_nonneg, Forall_map, Forall_forall. intros v _ o'. now apply bin_nonneg. }
      split; now apply near_refl.
  Qed.

  (** Under addition and removal: noise of scale [1 / epsilon]. *)
  (* code: tacit.mechanisms.stability.StabilityHistogram
     0 < epsilon <- check positive(epsilon)
     0 < delta <- check probability(delta)
     ln (1 / (delta * (1 + exp (- (epsilon / 1))))) / (epsilon / 1) <= IZR reach <- object tacit.mechanisms.stability.StabilityHistogram.threshold: return release_threshold(epsilon=self.epsilon, delta=self.delta, relation=self.relation)
     NoDup domain <- requires the domain lists each value once *)
  Theorem stability_add_remove epsilon delta reach :
    0 < epsilon -> 0 < delta ->
    ln (1 / (delta * (1 + exp (- (epsilon / 1))))) / (epsilon / 1) <= IZR reach ->
    NoDup domain ->
    approximate add_remove epsilon delta (histogram (epsilon / 1) (1 + reach)).
  Proof.
    intros He Hdel Hm Hd S S' Hn. replace (epsilon / 1) with epsilon in * by field.
    assert (Hr := reach_enough epsilon delta reach He Hdel Hm).
    destruct Hn as [(b & z & a & -> & ->)|(b & z & a & -> & ->)]; apply near_event.
    - now apply near_comes.
    - now apply near_comes.
  Qed.

  (** Under substitution: noise of scale [2 / epsilon]. *)
  (* code: tacit.mechanisms.stability.StabilityHistogram
     0 < epsilon <- check positive(epsilon)
     0 < delta <- check probability(delta)
     ln (1 / (delta * (1 + exp (- (epsilon / 2))))) / (epsilon / 2) <= IZR reach <- object tacit.mechanisms.stability.StabilityHistogram.threshold: return release_threshold(epsilon=self.epsilon, delta=self.delta, relation=self.relation)
     NoDup domain <- requires the domain lists each value once *)
  Theorem stability_replace_one epsilon delta reach :
    0 < epsilon -> 0 < delta ->
    ln (1 / (delta * (1 + exp (- (epsilon / 2))))) / (epsilon / 2) <= IZR reach ->
    NoDup domain ->
    approximate replace_one epsilon delta (histogram (epsilon / 2) (1 + reach)).
  Proof.
    intros He Hdel Hm Hd S S' (b & z & z' & a & -> & ->).
    set (x := epsilon / 2) in *. assert (Hx : 0 < x) by (unfold x; lra).
    replace epsilon with (2 * x) by (unfold x; lra). clearbody x. apply near_event.
    assert (Hr := reach_enough x delta reach Hx Hdel Hm).
    assert (E := exp_x_1 x Hx).
    assert (E2 : exp x <= exp (2 * x)) by (apply exp_monotone; lra).
    assert (N : forall S o, 0 <= histogram x (1 + reach) S o).
    { intros S o. apply vector_nonneg, Forall_map, Forall_forall. intros v _ o'. now apply bin_nonneg. }
    assert (W : forall S S', near (exp x) delta (histogram x (1 + reach) S) (histogram x (1 + reach) S')
                -> near (exp (2 * x)) delta (histogram x (1 + reach) S) (histogram x (1 + reach) S')).
    { intros S S' (s & Hs & Hle). exists s. split; [assumption|]. intros o. specialize (Hle o).
      specialize (N S' o). nra. }
    assert (Same : forall y y', (forall v, hits v y = hits v y') ->
              histogram x (1 + reach) (b ++ y :: a) = histogram x (1 + reach) (b ++ y' :: a)).
    { intros y y' Hyy. unfold histogram. f_equal. apply map_ext. intros v.
      now rewrite !occurrences_split, Hyy. }
    destruct (place z) as [u|] eqn:Ez, (place z') as [u'|] eqn:Ez'.
    - destruct (eq_dec u u') as [->|Hne].
      + rewrite (Same z z') by (intros v; unfold hits; now rewrite Ez, Ez').
        apply near_refl; auto; lra.
      + (* [u] loses a record, [u'] wins one *)
        assert (K : forall v, v <> u -> v <> u' ->
                  occurrences (b ++ z :: a) v = occurrences (b ++ z' :: a) v).
        { intros v H2 H3. now rewrite !occurrences_split, (hits_other u v z Ez H2), (hits_other u' v z' Ez' H3). }
        assert (Ku : occurrences (b ++ z :: a) u = S (occurrences (b ++ z' :: a) u)).
        { rewrite !occurrences_split, (hits_own u z Ez), (hits_other u' u z' Ez' Hne). lia. }
        assert (Ku' : occurrences (b ++ z' :: a) u' = S (occurrences (b ++ z :: a) u')).
        { rewrite !occurrences_split, (hits_own u' z' Ez'), (hits_other u u' z Ez (not_eq_sym Hne)).
          lia. }
        apply (near_moved x delta reach _ _ u u'); auto; lra.
    - (* [z'] counts for nothing *)
      assert (G : histogram x (1 + reach) (b ++ z' :: a) = histogram x (1 + reach) (b ++ a)).
      { unfold histogram. f_equal. apply map_ext. intros v.
        now rewrite occurrences_split, (hits_none v z' Ez'), Nat.add_0_r. }
      rewrite G. apply W. now apply near_comes.
    - assert (G : histogram x (1 + reach) (b ++ z :: a) = histogram x (1 + reach) (b ++ a)).
      { unfold histogram. f_equal. apply map_ext. intros v.
        now rewrite occurrences_split, (hits_none v z Ez), Nat.add_0_r. }
      rewrite G. apply W. now apply near_comes.
    - rewrite (Same z z') by (intros v; now rewrite (hits_none v z Ez), (hits_none v z' Ez')).
      apply near_refl; auto; lra.
  Qed.
End Histogram.

(** Under a changed label: the record stays, and may count for another value, as under
    substitution. *)
(* code: tacit.mechanisms.stability.StabilityHistogram
   0 < epsilon <- check positive(epsilon)
   0 < delta <- check probability(delta)
   ln (1 / (delta * (1 + exp (- (epsilon / 2))))) / (epsilon / 2) <= IZR reach <- object tacit.mechanisms.stability.StabilityHistogram.threshold: return release_threshold(epsilon=self.epsilon, delta=self.delta, relation=self.relation)
   NoDup domain <- requires the domain lists each value once *)
Theorem stability_label {X Y V} (eq_dec : forall v u : V, {v = u} + {v <> u}) (domain : list V)
  (place : X * Y -> option V) epsilon delta reach :
  0 < epsilon -> 0 < delta ->
  ln (1 / (delta * (1 + exp (- (epsilon / 2))))) / (epsilon / 2) <= IZR reach ->
  NoDup domain ->
  approximate label epsilon delta (histogram eq_dec domain place (epsilon / 2) (1 + reach)).
Proof.
  intros He Hdel Hm Hd S S' Hn.
  apply (stability_replace_one eq_dec domain place epsilon delta reach He Hdel Hm Hd).
  now apply label_is_replace_one.
Qed.
