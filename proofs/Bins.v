(** One value of the stability histogram (tacit.mechanisms.stability.StabilityHistogram): its
    law, and what a record that comes, goes or moves changes. *)
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
