(** The stability histogram: tacit.mechanisms.stability.StabilityHistogram.

    A release is written as one entry for each value of the public domain, in its order:
    [Some z] if the pair (value, z) is released, [None] if not. The sorted pairs that the
    code returns are the entries that are not [None]. *)
From Coquelicot Require Import Coquelicot.
From Coq Require Import Reals Lra List Bool Lia ZArith.
From Tacit Require Import Sums Definitions Vectors Geometric.
Import ListNotations.
Open Scope R_scope.

(** ** One bin *)

(** A value that occurs [c] times: its noisy count if that reaches the threshold; a value that
    does not occur is never released. *)
Definition bin (x : R) (threshold : Z) (c : nat) (o : option Z) : R :=
  match c, o with
  | O, Some _ => 0
  | O, None => 1
  | S _, Some z => if (threshold <=? z)%Z then geometric x (z - Z.of_nat c) else 0
  | S _, None => 1 - tail x (threshold - Z.of_nat c)
  end.

Lemma bin_nonneg x threshold c o : 0 < x -> 0 <= bin x threshold c o.
Proof.
  intros H. destruct c as [|c], o as [z|]; cbn -[Z.of_nat]; try lra.
  - destruct (threshold <=? z)%Z; [now apply geometric_nonneg|lra].
  - assert (B := tail_bounds x (threshold - Z.of_nat (S c)) H). lra.
Qed.

(** The released part of a bin. *)
Definition shown (p : option Z -> R) (o : option Z) : R :=
  match o with Some _ => p o | None => 0 end.

Lemma options_split (l : list (option Z)) : NoDup l ->
  exists zs, NoDup zs /\ (forall z, In z zs <-> In (Some z) l) /\
  forall p, sum l p = sum zs (fun z => p (Some z)) + (if in_dec (fun a b : option Z =>
     ltac:(decide equality; apply Z.eq_dec) : {a = b} + {a <> b}) None l then p None else 0).
Proof.
  induction 1 as [|o l Ho Hd (zs & H1 & H2 & H3)].
  - exists []. split; [constructor|]. split; [intros z; split; intros []|]. intros p. cbn. lra.
  - destruct o as [z|].
    + exists (z :: zs). split; [constructor; [now rewrite H2|assumption]|]. split.
      * intros y. cbn. rewrite H2. split; intros [E|E]; auto; left; congruence.
      * intros p. rewrite !sum_cons, H3.
        destruct (in_dec _ None l) as [j|j], (in_dec _ None (Some z :: l)) as [i|i]; try lra.
        -- exfalso. apply i. now right.
        -- destruct i; [discriminate|contradiction].
    + exists zs. split; [assumption|]. split.
      * intros y. rewrite H2. cbn. split; [auto|]. intros [E|E]; [discriminate|assumption].
      * intros p. rewrite sum_cons, H3.
        destruct (in_dec _ None l) as [i|i]; [contradiction|].
        destruct (in_dec _ None (None :: l)) as [i'|i']; [lra|].
        exfalso. apply i'. now left.
Qed.

(** Released counts have together at most the probability of the tail. *)
Lemma shown_mass x threshold c : 0 < x ->
  mass_at_most (tail x (threshold - Z.of_nat c)) (shown (bin x threshold c)).
Proof.
  intros H. assert (B := tail_bounds x (threshold - Z.of_nat c) H). split.
  - intros [z|]; cbn [shown]; [now apply bin_nonneg|lra].
  - intros l Hl. destruct (options_split l Hl) as (zs & Hz & _ & E). rewrite E. cbn [shown].
    assert (G : sum zs (fun z => bin x threshold c (Some z)) <= tail x (threshold - Z.of_nat c)).
    { destruct c as [|c]; cbn [bin]; [rewrite sum_zero by reflexivity; lra|].
      rewrite <- (sum_filter (fun z => threshold <=? z)%Z zs (fun z => geometric x (z - Z.of_nat (S c)))).
      rewrite <- (sum_map (fun z => z - Z.of_nat (S c))%Z (filter (fun z => threshold <=? z)%Z zs)
                    (geometric x)).
      apply geometric_at_least; [assumption| |].
      - apply FinFun.Injective_map_NoDup; [intros i j; lia|now apply NoDup_filter].
      - intros z Hi. apply in_map_iff in Hi as (y & <- & Hy). apply filter_In in Hy as [_ Hy].
        apply Z.leb_le in Hy. lia. }
    destruct (in_dec _ None l); lra.
Qed.

Theorem bin_law x threshold c : 0 < x -> law (bin x threshold c).
Proof.
  intros H. split; [intros; now apply bin_nonneg|]. split.
  - intros s (l & Hl & ->). assert (M := shown_mass x threshold c H). destruct M as [_ M].
    specialize (M l Hl). destruct (options_split l Hl) as (zs & Hz & _ & E).
    rewrite E in *. cbn [shown] in M.
    assert (T := tail_bounds x (threshold - Z.of_nat c) H).
    destruct c as [|c]; [cbn [bin] in *; rewrite sum_zero by reflexivity;
      destruct (in_dec _ None l); lra|].
    destruct (in_dec _ None l); cbn [bin] in *; lra.
  - intros b Hb. destruct c as [|c].
    + apply Hb. exists [None]. split; [repeat constructor; intros []|cbn; lra].
    + set (k := (threshold - Z.of_nat (S c))%Z).
      assert (L : is_lim_seq (fun n => 1 - tail x (k + Z.of_nat n)) (1 - 0)).
      { apply is_lim_seq_minus'; [apply is_lim_seq_const|now apply tail_lim]. }
      replace 1 with (1 - 0) by ring.
      refine (is_lim_seq_le _ (fun _ => b) _ b _ L (is_lim_seq_const b)). intros n.
      apply Hb. exists (None :: map Some (from threshold n)). split.
      * constructor; [intros Hi; apply in_map_iff in Hi as (? & E & _); discriminate|].
        apply FinFun.Injective_map_NoDup; [intros i j E; congruence|apply from_NoDup].
      * rewrite sum_cons, sum_map. cbn [bin].
        rewrite (sum_ext _ _ (fun z => geometric x (z - Z.of_nat (S c)))).
        -- rewrite <- (sum_map (fun z => z - Z.of_nat (S c))%Z (from threshold n) (geometric x)).
           replace (map (fun z => z - Z.of_nat (S c))%Z (from threshold n)) with (from k n).
           ++ rewrite geometric_from by assumption. fold k. ring.
           ++ unfold from, k. rewrite map_map. apply map_ext. intros; lia.
        -- intros z Hz. apply in_from in Hz. destruct (Z.leb_spec threshold z); [reflexivity|lia].
Qed.

(** A count that stays above 0 on both sides and moves by one costs [x]. *)
Lemma bin_step x threshold c c' o : 0 < x -> (1 <= c)%nat -> (1 <= c')%nat ->
  (Z.abs (Z.of_nat c - Z.of_nat c') <= 1)%Z ->
  bin x threshold c o <= exp x * bin x threshold c' o.
Proof.
  intros H H1 H1' Hm. destruct c as [|c], c' as [|c']; try lia.
  assert (Hk : exp (x * IZR (Z.abs (Z.of_nat (S c) - Z.of_nat (S c')))) <= exp x).
  { apply exp_monotone. rewrite <- (Rmult_1_r x) at 2. apply Rmult_le_compat_l; [lra|].
    now apply IZR_le. }
  assert (Hk' : exp (x * IZR (Z.abs (Z.of_nat (S c') - Z.of_nat (S c)))) <= exp x).
  { replace (Z.abs (Z.of_nat (S c') - Z.of_nat (S c))) with (Z.abs (Z.of_nat (S c) - Z.of_nat (S c')))
      by lia. assumption. }
  destruct o as [z|]; cbn [bin].
  - destruct (threshold <=? z)%Z; [|lra].
    eapply Rle_trans; [apply (geometric_shift x _ (Z.of_nat (S c) - Z.of_nat (S c')) H)|].
    replace (z - Z.of_nat (S c) + (Z.of_nat (S c) - Z.of_nat (S c')))%Z
      with (z - Z.of_nat (S c'))%Z by lia.
    apply Rmult_le_compat_r; [now apply geometric_nonneg|assumption].
  - assert (C1 := tail_complement x (threshold - Z.of_nat (S c))).
    assert (C2 := tail_complement x (threshold - Z.of_nat (S c'))).
    replace (1 - tail x (threshold - Z.of_nat (S c)))
      with (tail x (1 - (threshold - Z.of_nat (S c)))) by lra.
    replace (1 - tail x (threshold - Z.of_nat (S c')))
      with (tail x (1 - (threshold - Z.of_nat (S c')))) by lra.
    eapply Rle_trans; [apply (tail_shift x _ (Z.of_nat (S c') - Z.of_nat (S c)) H)|].
    replace (1 - (threshold - Z.of_nat (S c)) + (Z.of_nat (S c') - Z.of_nat (S c)))%Z
      with (1 - (threshold - Z.of_nat (S c')))%Z by lia.
    apply Rmult_le_compat_r; [now apply tail_bounds|assumption].
Qed.

Section Bins.
  Variables (x delta : R) (reach : Z).
  Hypothesis Hx : 0 < x.
  Hypothesis Hreach : tail x reach <= delta.
  Let T : Z := (1 + reach)%Z.
  Let b := bin x T.
  Let p := tail x reach.

  Lemma p_bounds : 0 <= p <= 1.
  Proof. now apply tail_bounds. Qed.

  Lemma lone : tail x (T - Z.of_nat 1) = p.
  Proof. unfold p, T. f_equal. lia. Qed.

  Lemma b_empty o : b 0 o = match o with Some _ => 0 | None => 1 end.
  Proof. now destruct o. Qed.

  Lemma b_lone_hidden : b 1 None = 1 - p.
  Proof. unfold b. cbn [bin]. now rewrite lone. Qed.

  Lemma b_nonneg c o : 0 <= b c o.
  Proof. now apply bin_nonneg. Qed.

  Lemma b_mass c : mass_at_most 1 (b c).
  Proof. apply law_mass. now apply bin_law. Qed.

  Lemma shown_lone_mass : mass_at_most p (shown (b 1)).
  Proof. rewrite <- lone. now apply shown_mass. Qed.

  Lemma zero_mass {O} (m : R) : 0 <= m -> mass_at_most m (fun _ : O => 0).
  Proof. intros H. split; [intros; lra|]. intros l _. rewrite sum_zero by reflexivity. lra. Qed.

  Lemma exp_x_1 : 1 <= exp x.
  Proof. rewrite <- exp_0. apply exp_monotone. lra. Qed.

  (** A record comes. *)
  Lemma bin_added c : near (exp x) delta (b c) (b (S c)).
  Proof.
    assert (P := p_bounds). assert (E := exp_x_1).
    destruct c as [|c].
    - exists (fun o => match o with Some _ => 0 | None => p end). split.
      + split; [intros [z|]; lra|]. intros l Hl.
        destruct (options_split l Hl) as (zs & _ & _ & G). rewrite G.
        rewrite sum_zero by reflexivity. destruct (in_dec _ None l); fold p in Hreach; lra.
      + intros o. rewrite b_empty. destruct o as [z|].
        * assert (0 <= b 1 (Some z)) by apply b_nonneg. nra.
        * rewrite b_lone_hidden. nra.
    - exists (fun _ => 0). split; [apply zero_mass; fold p in Hreach; lra|].
      intros o. rewrite Rplus_0_r. apply bin_step; auto; lia.
  Qed.

  (** A record goes. *)
  Lemma bin_removed c : near (exp x) delta (b (S c)) (b c).
  Proof.
    assert (P := p_bounds). assert (E := exp_x_1).
    destruct c as [|c].
    - exists (shown (b 1)). split; [apply (mass_at_most_le p); [assumption|apply shown_lone_mass]|].
      intros o. rewrite b_empty. destruct o as [z|]; cbn [shown]; [lra|].
      rewrite b_lone_hidden. lra.
    - exists (fun _ => 0). split; [apply zero_mass; fold p in Hreach; lra|].
      intros o. rewrite Rplus_0_r. apply bin_step; auto; lia.
  Qed.

  (** A record moves from one bin to another: the whole costs [2 * x] and [delta]. *)
  Lemma bins_moved c d : exists f g u v,
    mass_at_most u f /\ mass_at_most v g /\ u * v <= delta /\
    forall o o', b (S c) o * b d o' <= exp (2 * x) * (b c o * b (S d) o') + f o * g o'.
  Proof.
    assert (P := p_bounds). assert (E := exp_x_1). assert (Hp : p <= delta) by exact Hreach.
    assert (E2 : exp (2 * x) = exp x * exp x) by (rewrite <- exp_plus; f_equal; ring).
    assert (Hd0 : 0 <= delta) by lra.
    assert (E3 : 1 <= exp (2 * x)) by (rewrite <- exp_0; apply exp_monotone; lra).
    destruct c as [|c], d as [|d].
    - (* both cross *)
      exists (shown (b 1)), (b 0), p, 1.
      split; [apply shown_lone_mass|]. split; [apply b_mass|]. split; [lra|].
      intros o o'. rewrite !b_empty. destruct o' as [z'|].
      + assert (0 <= b 1 (Some z')) by apply b_nonneg. destruct o as [z|]; cbn [shown].
        * assert (0 <= b 1 (Some z)) by apply b_nonneg. nra.
        * assert (0 <= exp (2 * x)) by apply Rlt_le, exp_pos.
          assert (0 <= exp (2 * x) * b 1 (Some z')) by now apply Rmult_le_pos. lra.
      + destruct o as [z|]; cbn [shown]; [lra|]. rewrite b_lone_hidden. nra.
    - (* only the first crosses *)
      exists (shown (b 1)), (b (S d)), p, 1.
      split; [apply shown_lone_mass|]. split; [apply b_mass|]. split; [lra|].
      intros o o'. rewrite b_empty. destruct o as [z|]; cbn [shown]; [lra|].
      rewrite b_lone_hidden, E2.
      assert (A := bin_step x T (S d) (S (S d)) o' Hx ltac:(lia) ltac:(lia) ltac:(lia)).
      fold (b (S d) o') in A. fold (b (S (S d)) o') in A.
      assert (0 <= b (S d) o') by apply b_nonneg. assert (0 <= b (S (S d)) o') by apply b_nonneg.
      assert (b (S d) o' <= exp x * exp x * b (S (S d)) o').
      { eapply Rle_trans; [exact A|]. apply Rmult_le_compat_r; [assumption|]. nra. }
      nra.
    - (* only the second crosses *)
      exists (b (S (S c))), (fun o' => match o' with Some _ => 0 | None => p end), 1, p.
      split; [apply b_mass|]. split; [|split; [lra|]].
      + split; [intros [z|]; lra|]. intros l Hl.
        destruct (options_split l Hl) as (zs & _ & _ & G). rewrite G.
        rewrite sum_zero by reflexivity. destruct (in_dec _ None l); lra.
      + intros o o'. rewrite b_empty.
        assert (A := bin_step x T (S (S c)) (S c) o Hx ltac:(lia) ltac:(lia) ltac:(lia)).
        fold (b (S (S c)) o) in A. fold (b (S c) o) in A.
        assert (0 <= b (S (S c)) o) by apply b_nonneg. assert (0 <= b (S c) o) by apply b_nonneg.
        destruct o' as [z'|].
        * assert (0 <= b 1 (Some z')) by apply b_nonneg.
          assert (0 <= exp (2 * x)) by apply Rlt_le, exp_pos.
          assert (0 <= exp (2 * x) * (b (S c) o * b 1 (Some z'))) by (repeat apply Rmult_le_pos; auto).
          lra.
        * rewrite b_lone_hidden, E2.
          assert (b (S (S c)) o <= exp x * exp x * b (S c) o).
          { eapply Rle_trans; [exact A|]. apply Rmult_le_compat_r; [assumption|]. nra. }
          nra.
    - (* none crosses *)
      exists (fun _ => 0), (fun _ => 0), 0, 0.
      split; [now apply zero_mass, Rle_refl|]. split; [now apply zero_mass, Rle_refl|]. split; [lra|].
      intros o o'. rewrite E2, Rmult_0_l, Rplus_0_r.
      replace (exp x * exp x * (b (S c) o * b (S (S d)) o'))
        with ((exp x * b (S c) o) * (exp x * b (S (S d)) o')) by ring.
      apply Rmult_le_compat; try apply b_nonneg; apply bin_step; auto; lia.
  Qed.
End Bins.

(** ** The histogram *)
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
     0 < x <- object tacit.mechanisms.stability.StabilityHistogram.scale *)
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
     (1 <= reach)%Z <- object tacit.exact.geometric_tails.reach
     ln (1 / (delta * (1 + exp (- (epsilon / 1))))) / (epsilon / 1) <= IZR reach <- object tacit.mechanisms.stability.StabilityHistogram.threshold
     NoDup domain <- requires The domain may be of any size; it only places records. *)
  Theorem stability_add_remove epsilon delta reach :
    0 < epsilon -> 0 < delta -> (1 <= reach)%Z ->
    ln (1 / (delta * (1 + exp (- (epsilon / 1))))) / (epsilon / 1) <= IZR reach ->
    NoDup domain ->
    approximate add_remove epsilon delta (histogram (epsilon / 1) (1 + reach)).
  Proof.
    intros He Hdel H1 Hm Hd S S' Hn. replace (epsilon / 1) with epsilon in * by field.
    assert (Hr := reach_enough epsilon delta reach He Hdel H1 Hm).
    destruct Hn as [(b & z & a & -> & ->)|(b & z & a & -> & ->)]; apply near_event.
    - now apply near_comes.
    - now apply near_comes.
  Qed.

  (** Under substitution: noise of scale [2 / epsilon]. *)
  (* code: tacit.mechanisms.stability.StabilityHistogram
     0 < epsilon <- check positive(epsilon)
     0 < delta <- check probability(delta)
     (1 <= reach)%Z <- object tacit.exact.geometric_tails.reach
     ln (1 / (delta * (1 + exp (- (epsilon / 2))))) / (epsilon / 2) <= IZR reach <- object tacit.mechanisms.stability.StabilityHistogram.threshold
     NoDup domain <- requires The domain may be of any size; it only places records. *)
  Theorem stability_replace_one epsilon delta reach :
    0 < epsilon -> 0 < delta -> (1 <= reach)%Z ->
    ln (1 / (delta * (1 + exp (- (epsilon / 2))))) / (epsilon / 2) <= IZR reach ->
    NoDup domain ->
    approximate replace_one epsilon delta (histogram (epsilon / 2) (1 + reach)).
  Proof.
    intros He Hdel H1 Hm Hd S S' (b & z & z' & a & -> & ->).
    set (x := epsilon / 2) in *. assert (Hx : 0 < x) by (unfold x; lra).
    replace epsilon with (2 * x) by (unfold x; lra). clearbody x. apply near_event.
    assert (Hr := reach_enough x delta reach Hx Hdel H1 Hm).
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
