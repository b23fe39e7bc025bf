(** Two-sided geometric noise: tacit.exact.geometric, tacit.exact.geometric_tails,
    tacit.mechanisms.noise.Geometric. Here [x] is 1 over the scale: [q = exp (- x)]. *)
From Coq Require Import Reals Lra List Bool Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Tacit Require Import Sums Definitions Vectors.
Import ListNotations.
Open Scope R_scope.

Lemma exp_monotone x y : x <= y -> exp x <= exp y.
Proof. intros [H|H]; [left; now apply exp_increasing|subst; lra]. Qed.

(** ** The law *)

Definition geometric (x : R) (z : Z) : R :=
  (1 - exp (- x)) / (1 + exp (- x)) * exp (- x * IZR (Z.abs z)).

(** The probability that the noise is at least [m]. *)
Definition tail (x : R) (m : Z) : R :=
  if (1 <=? m)%Z then exp (- x * IZR m) / (1 + exp (- x))
  else 1 - exp (- x * IZR (1 - m)) / (1 + exp (- x)).

Lemma q_bounds x : 0 < x -> 0 < exp (- x) < 1.
Proof. intros H. split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing. lra. Qed.

Lemma geometric_nonneg x z : 0 < x -> 0 <= geometric x z.
Proof.
  intros H. assert (Q := q_bounds x H). unfold geometric.
  apply Rmult_le_pos; [|apply Rlt_le, exp_pos]. apply Rlt_le, Rdiv_lt_0_compat; lra.
Qed.

Lemma tail_step x m : 0 < x -> tail x m - tail x (m + 1) = geometric x m.
Proof.
  intros H. assert (Q := q_bounds x H). unfold tail, geometric.
  destruct (Z.leb_spec 1 m) as [H1|H1].
  - destruct (Z.leb_spec 1 (m + 1)) as [H2|H2]; [|lia]. rewrite Z.abs_eq by lia.
    rewrite plus_IZR, Rmult_plus_distr_l, exp_plus, Rmult_1_r. field. lra.
  - destruct (Z.leb_spec 1 (m + 1)) as [H2|H2].
    + assert (m = 0)%Z by lia. subst. cbn. rewrite Rmult_0_r, exp_0, Rmult_1_r. field. lra.
    + replace (1 - m)%Z with (1 + (1 - (m + 1)))%Z by lia.
      rewrite plus_IZR, Rmult_plus_distr_l, exp_plus, Rmult_1_r.
      replace (Z.abs m) with (1 - (m + 1))%Z by lia. field. lra.
Qed.

Lemma tail_bounds x m : 0 < x -> 0 <= tail x m <= 1.
Proof.
  intros H. assert (Q := q_bounds x H).
  assert (G : forall k, (1 <= k)%Z -> 0 <= exp (- x * IZR k) / (1 + exp (- x)) <= 1).
  { intros k Hk. assert (0 < exp (- x * IZR k)) by apply exp_pos.
    assert (exp (- x * IZR k) <= 1).
    { rewrite <- exp_0. apply exp_monotone. assert (1 <= IZR k) by (apply (IZR_le 1); lia). nra. }
    split; [apply Rlt_le, Rdiv_lt_0_compat; lra|].
    apply (Rmult_le_reg_r (1 + exp (- x))); [lra|]. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l by lra. lra. }
  unfold tail. destruct (Z.leb_spec 1 m).
  - now apply G.
  - assert (A := G (1 - m)%Z). assert (1 <= 1 - m)%Z by lia. specialize (A H1). lra.
Qed.

Lemma tail_complement x m : tail x m + tail x (1 - m) = 1.
Proof.
  unfold tail. destruct (Z.leb_spec 1 m), (Z.leb_spec 1 (1 - m)); try lia; try ring.
  replace (1 - (1 - m))%Z with m by lia. ring.
Qed.

(** The integers from [m] on, [n] of them. *)
Definition from (m : Z) (n : nat) : list Z := map (fun i => (m + Z.of_nat i)%Z) (seq 0 n).

Lemma from_S m n : from m (S n) = from m n ++ [(m + Z.of_nat n)%Z].
Proof. unfold from. now rewrite seq_S, map_app. Qed.

Lemma from_NoDup m n : NoDup (from m n).
Proof. apply FinFun.Injective_map_NoDup; [intros i j; lia|apply seq_NoDup]. Qed.

Lemma in_from m n z : In z (from m n) <-> (m <= z < m + Z.of_nat n)%Z.
Proof.
  unfold from. rewrite in_map_iff. split.
  - intros (i & <- & Hi). apply in_seq in Hi. lia.
  - intros H. exists (Z.to_nat (z - m)). split; [lia|]. apply in_seq. lia.
Qed.

Lemma geometric_from x m n : 0 < x ->
  sum (from m n) (geometric x) = tail x m - tail x (m + Z.of_nat n).
Proof.
  intros H. induction n as [|n IH].
  - cbn. rewrite Z.add_0_r. ring.
  - rewrite from_S, sum_app, IH, sum_cons, sum_nil, <- (tail_step x (m + Z.of_nat n) H).
    replace (m + Z.of_nat (S n))%Z with (m + Z.of_nat n + 1)%Z by lia. ring.
Qed.

(** A finite set of integers from [m] on has at most the probability of the tail. *)
Lemma geometric_at_least x m l : 0 < x -> NoDup l -> (forall z, In z l -> (m <= z)%Z) ->
  sum l (geometric x) <= tail x m.
Proof.
  intros Hx Hd Hm.
  assert (E : exists n, incl l (from m n)).
  { clear Hd. induction l as [|a l IH]; [exists O; intros ? []|].
    destruct IH as [n Hn]; [auto with datatypes|].
    exists (n + S (Z.to_nat (a - m)))%nat. assert (Ha := Hm a (or_introl eq_refl)).
    intros z [->|Hz]; apply in_from; [lia|]. apply Hn in Hz. apply in_from in Hz. lia. }
  destruct E as [n Hn]. eapply Rle_trans.
  - apply (sum_incl _ _ _ Hd Hn). intros; now apply geometric_nonneg.
  - rewrite geometric_from by assumption.
    assert (B := tail_bounds x (m + Z.of_nat n) Hx). lra.
Qed.

Lemma tail_lim x m : 0 < x -> is_lim_seq (fun n => tail x (m + Z.of_nat n)) 0.
Proof.
  intros H. assert (Q := q_bounds x H).
  apply (is_lim_seq_incr_n _ (Z.to_nat (1 - m))).
  set (k := Z.to_nat (1 - m)). set (c := exp (- x * IZR (m + Z.of_nat k)) / (1 + exp (- x))).
  apply (is_lim_seq_ext (fun n => c * exp (- x) ^ n)).
  - intros n. unfold tail, c. destruct (Z.leb_spec 1 (m + Z.of_nat (n + k))); [|lia].
    replace (m + Z.of_nat (n + k))%Z with (m + Z.of_nat k + Z.of_nat n)%Z by lia.
    rewrite (plus_IZR (m + Z.of_nat k)), Rmult_plus_distr_l, exp_plus, <- INR_IZR_INZ.
    assert (E : exp (- x) ^ n = exp (- x * INR n)).
    { induction n as [|n IH]; [cbn; now rewrite Rmult_0_r, exp_0|].
      rewrite S_INR, Rmult_plus_distr_l, exp_plus, Rmult_1_r. cbn [pow]. rewrite IH; [ring|lia]. }
    rewrite E. field. lra.
  - replace (Finite 0) with (Rbar_mult (Finite c) (Finite 0)) by (cbn; f_equal; ring).
    apply is_lim_seq_scal_l. apply is_lim_seq_geom. rewrite Rabs_pos_eq; lra.
Qed.

(** [tail] is what its name says. *)
(* code: tacit.exact.geometric.two_sided_geometric
   0 < x <- requires `scale > 0` (checked) *)
Theorem tail_series x m : 0 < x ->
  is_series (fun n => geometric x (m + Z.of_nat n)) (tail x m).
Proof.
  intros H. unfold is_series.
  assert (L : is_lim_seq (sum_n (fun n => geometric x (m + Z.of_nat n))) (tail x m)); [|exact L].
  apply (is_lim_seq_ext (fun n => tail x m - tail x (m + Z.of_nat (S n)))).
  - intros n. induction n as [|n IH].
    + rewrite sum_O, Z.add_0_r. rewrite <- tail_step by assumption. reflexivity.
    + rewrite sum_Sn, <- IH. unfold plus; cbn -[Z.of_nat].
      rewrite <- (tail_step x (m + Z.of_nat (S n)) H).
      replace (m + Z.of_nat (S (S n)))%Z with (m + Z.of_nat (S n) + 1)%Z by lia. ring.
  - replace (Finite (tail x m)) with (Rbar_plus (tail x m) (Rbar_opp 0)) by (cbn; f_equal; ring).
    apply is_lim_seq_minus'; [apply is_lim_seq_const|].
    apply (is_lim_seq_incr_1 (fun n => tail x (m + Z.of_nat n))). now apply tail_lim.
Qed.

(* code: tacit.exact.geometric.two_sided_geometric
   0 < x <- requires `scale > 0` (checked) *)
Theorem geometric_law x : 0 < x -> law (geometric x).
Proof.
  intros H. split; [intros; now apply geometric_nonneg|]. split.
  - intros s (l & Hd & ->).
    assert (E : exists m, forall z, In z l -> (m <= z)%Z).
    { clear. induction l as [|a l [m Hm]]; [exists 0%Z; intros ? []|].
      exists (Z.min a m). intros z [->|Hz]; [lia|]. specialize (Hm z Hz). lia. }
    destruct E as [m Hm]. eapply Rle_trans; [now apply (geometric_at_least x m)|].
    now apply tail_bounds.
  - intros b Hb.
    assert (L : is_lim_seq (fun n => 1 - 2 * tail x (0 + Z.of_nat (S n))) (1 - 2 * 0)).
    { apply is_lim_seq_minus'; [apply is_lim_seq_const|].
      apply (is_lim_seq_scal_l _ 2 0).
      apply (is_lim_seq_incr_1 (fun n => tail x (0 + Z.of_nat n))). now apply tail_lim. }
    replace 1 with (1 - 2 * 0) by ring.
    refine (is_lim_seq_le _ (fun _ => b) _ b _ L (is_lim_seq_const b)).
    intros n. eapply Rle_trans; [|apply Hb; exists (from (- Z.of_nat n) (2 * n + 1)); split;
      [apply from_NoDup|reflexivity]].
    rewrite geometric_from by assumption.
    assert (C := tail_complement x (0 + Z.of_nat (S n))).
    replace (1 - (0 + Z.of_nat (S n)))%Z with (- Z.of_nat n)%Z in C by lia.
    replace (- Z.of_nat n + Z.of_nat (2 * n + 1))%Z with (0 + Z.of_nat (S n))%Z by lia. lra.
Qed.

(** ** Privacy *)

(** Shifting the noise by [k] costs at most [x * |k|]. *)
Lemma geometric_shift x z k : 0 < x ->
  geometric x z <= exp (x * IZR (Z.abs k)) * geometric x (z + k).
Proof.
  intros H. assert (Q := q_bounds x H). unfold geometric.
  rewrite <- Rmult_assoc, (Rmult_comm (exp (x * _))), Rmult_assoc, <- exp_plus.
  apply Rmult_le_compat_l; [apply Rlt_le, Rdiv_lt_0_compat; lra|]. apply exp_monotone.
  assert (IZR (Z.abs (z + k)) <= IZR (Z.abs z) + IZR (Z.abs k))
    by (rewrite <- plus_IZR; apply IZR_le; lia). nra.
Qed.

Lemma tail_shift x m k : 0 < x -> tail x m <= exp (x * IZR (Z.abs k)) * tail x (m + k).
Proof.
  intros H.
  assert (L := tail_series x m H). assert (L' := tail_series x (m + k) H).
  apply (is_series_scal_l (exp (x * IZR (Z.abs k)))) in L'.
  refine (is_lim_seq_le _ _ (Finite (tail x m)) (Finite (exp (x * IZR (Z.abs k)) * tail x (m + k))) _ L L').
  intros n. apply sum_n_m_le. intros i. unfold scal; cbn -[Z.of_nat]; unfold mult; cbn -[Z.of_nat].
  eapply Rle_trans; [apply (geometric_shift x _ k H)|].
  replace (m + Z.of_nat i + k)%Z with (m + k + Z.of_nat i)%Z by lia. apply Rle_refl.
Qed.

(** How far two lists of integers are apart: the sum of absolute differences. *)
Fixpoint distance (s s' : list Z) : Z :=
  match s, s' with
  | a :: s, a' :: s' => (Z.abs (a - a') + distance s s')%Z
  | _, _ => 0%Z
  end.

(** Integer answers, each with its own noise (in steps of the grid). *)
Definition noisy {D} (answers : D -> list Z) (x : R) : mechanism D (list Z) :=
  fun S => vector (map (fun s z => geometric x (z - s)) (answers S)).

Lemma noisy_nonneg x s : 0 < x -> forall o, 0 <= vector (map (fun s z => geometric x (z - s)) s) o.
Proof.
  intros H. induction s as [|a s IH]; intros [|z o]; cbn; try lra.
  apply Rmult_le_pos; [now apply geometric_nonneg|apply IH].
Qed.

Lemma noisy_shift x : 0 < x -> forall s s' o, length s = length s' ->
  vector (map (fun s z => geometric x (z - s)) s) o
  <= exp (x * IZR (distance s s')) * vector (map (fun s z => geometric x (z - s)) s') o.
Proof.
  intros H. induction s as [|a s IH]; intros [|a' s'] [|z o] Hl; try discriminate; cbn; try lra.
  - rewrite Rmult_0_r, exp_0. lra.
  - rewrite plus_IZR, Rmult_plus_distr_l, exp_plus.
    assert (A := geometric_shift x (z - a) (a - a') H).
    replace (z - a + (a - a'))%Z with (z - a')%Z in A by lia.
    assert (B := IH s' o (f_equal pred Hl)).
    replace (exp (x * IZR (Z.abs (a - a'))) * exp (x * IZR (distance s s')) *
             (geometric x (z - a') * vector (map (fun s z => geometric x (z - s)) s') o))
      with ((exp (x * IZR (Z.abs (a - a'))) * geometric x (z - a')) *
            (exp (x * IZR (distance s s')) * vector (map (fun s z => geometric x (z - s)) s') o))
      by ring.
    apply Rmult_le_compat; auto; [now apply geometric_nonneg|now apply noisy_nonneg].
Qed.

(* code: tacit.mechanisms.noise.Geometric
   0 < x <- object tacit.mechanisms.noise.Geometric.scale: return moved / self.epsilon *)
Theorem noisy_law {D} (answers : D -> list Z) x S : 0 < x -> law (noisy answers x S).
Proof.
  intros H. apply vector_law. apply Forall_map, Forall_forall. intros s _.
  destruct (geometric_law x H) as [Hp [Hu Hl]]. split; [intros; apply Hp|].
  assert (G : forall (f g : Z -> R) (h : Z -> Z), (forall i j, h i = h j -> i = j) ->
            (forall z, f z = g (h z)) -> forall l, NoDup l -> partial_total g (sum l f)).
  { intros f g h Hh Hf l Hd. exists (map h l). split; [now apply FinFun.Injective_map_NoDup|].
    rewrite sum_map. apply sum_ext. intros; apply Hf. }
  split.
  - intros t (l & Hd & ->). apply Hu. apply (G _ _ (fun z => z - s)%Z); auto. intros; lia.
  - intros b Hb. apply Hl. intros t (l & Hd & ->). apply Hb.
    apply (G _ _ (fun z => z + s)%Z); auto; [intros; lia|]. intros z. f_equal. lia.
Qed.

(** Answers that move by at most [sensitivity] in all, with noise of scale
    [sensitivity / epsilon], are private. *)
(* code: tacit.mechanisms.noise.Geometric
   0 < epsilon <- check positive(epsilon)
   (0 < sensitivity)%Z <- requires where $\Delta = 0$ the answers do not depend on the data, and nothing is to be shown
   (forall S S', neighbours S S' -> length (answers S) = length (answers S')) <- requires the query gave as many answers as declared
   (forall S S', neighbours S S' -> (distance (answers S) (answers S') <= sensitivity)%Z) <- requires Left to the query: $\Delta$ is right *)
Theorem geometric_pure {D} (neighbours : D -> D -> Prop) (answers : D -> list Z)
  (epsilon : R) (sensitivity : Z) :
  0 < epsilon -> (0 < sensitivity)%Z ->
  (forall S S', neighbours S S' -> length (answers S) = length (answers S')) ->
  (forall S S', neighbours S S' -> (distance (answers S) (answers S') <= sensitivity)%Z) ->
  pure neighbours epsilon (noisy answers (epsilon / IZR sensitivity)).
Proof.
  intros He Hs Hl Hd S S' Hn o. assert (Hs' : 0 < IZR sensitivity) by now apply (IZR_lt 0).
  set (x := epsilon / IZR sensitivity).
  assert (Hx : 0 < x) by (apply Rdiv_lt_0_compat; assumption).
  assert (Hxs : x * IZR sensitivity = epsilon) by (unfold x; field; lra).
  clearbody x. unfold noisy. eapply Rle_trans; [apply (noisy_shift x Hx _ _ o (Hl S S' Hn))|].
  apply Rmult_le_compat_r; [now apply noisy_nonneg|]. apply exp_monotone. rewrite <- Hxs.
  apply Rmult_le_compat_l; [lra|]. apply IZR_le. auto.
Qed.

(** ** The threshold: [reach] of tacit.exact.geometric_tails *)
(* code: tacit.exact.geometric_tails.reach
   0 < x <- check positive(scale) for x
   0 < delta <- check probability(chance) for delta
   ln (1 / (delta * (1 + exp (- x)))) / x <= IZR m <- object tacit.exact.geometric_tails.reach: return -ball(scale) * (ball(chance).log() + (1 + q).log()) *)
Theorem reach_enough x delta m :
  0 < x -> 0 < delta -> ln (1 / (delta * (1 + exp (- x)))) / x <= IZR m ->
  tail x m <= delta.
Proof.
  intros Hx Hdel H. assert (Q := q_bounds x Hx).
  assert (Hp : 0 < delta * (1 + exp (- x))) by (apply Rmult_lt_0_compat; lra).
  assert (G : - x * IZR m <= ln (delta * (1 + exp (- x)))).
  { unfold Rdiv in H. rewrite Rmult_1_l, ln_Rinv in H by assumption.
    apply (Rmult_le_compat_r x) in H; [|lra]. rewrite Rmult_assoc, Rinv_l in H by lra. lra. }
  apply exp_monotone in G. rewrite exp_ln in G by assumption.
  apply (Rmult_le_reg_r (1 + exp (- x))); [lra|]. unfold tail, Rdiv.
  destruct (Z.leb_spec 1 m) as [Hm|Hm]; [rewrite Rmult_assoc, Rinv_l by lra; lra|].
  (* below 1 the tail is less than the same formula: (1 - y) (1 - q y) >= 0 with y = q ^ -m *)
  rewrite Rmult_minus_distr_r, Rmult_assoc, Rinv_l, Rmult_1_l, Rmult_1_r by lra.
  rewrite minus_IZR. set (y := exp (x * IZR m)).
  assert (Ey : exp (- x * IZR m) * y = 1).
  { unfold y. rewrite <- exp_plus. replace (- x * IZR m + x * IZR m) with 0 by ring. apply exp_0. }
  replace (- x * (1 - IZR m)) with (- x + x * IZR m) by ring. rewrite exp_plus. fold y.
  assert (Hy : 0 < y <= 1).
  { split; [apply exp_pos|]. unfold y. rewrite <- exp_0. apply exp_monotone.
    assert (0 <= x * - IZR m) by (apply Rmult_le_pos; [lra|]; pose proof (IZR_le m 0 ltac:(lia)); lra).
    lra. }
  assert (0 <= (1 - y) * (1 - exp (- x) * y)).
  { apply Rmult_le_pos; [lra|]. assert (exp (- x) * y <= 1 * 1) by (apply Rmult_le_compat; lra). lra. }
  assert (1 + exp (- x) - exp (- x) * y <= exp (- x * IZR m)); [|lra].
  apply (Rmult_le_reg_r y); [lra|]. rewrite Ey. lra.
Qed.
