(** Independent draws: a law on lists, one coordinate for each law. *)
From Coq Require Import Reals Lra List Bool Lia Classical_Prop.
From Tacit Require Import Sums Definitions.
Import ListNotations.
Open Scope R_scope.

Fixpoint vector {O : Type} (ps : list (O -> R)) (os : list O) : R :=
  match ps, os with
  | [], [] => 1
  | p :: ps, o :: os => p o * vector ps os
  | _, _ => 0
  end.

(** No negative mass, and at most [b] in all. *)
Definition mass_at_most {O : Type} (b : R) (p : O -> R) : Prop :=
  (forall o, 0 <= p o) /\ forall l, NoDup l -> sum l p <= b.

Lemma law_mass {O} (p : O -> R) : law p -> mass_at_most 1 p.
Proof. intros [Hp [Hu _]]. split; [assumption|]. intros l Hl. apply Hu. now exists l. Qed.

Lemma mass_nonneg {O} b (p : O -> R) : mass_at_most b p -> 0 <= b.
Proof. intros [_ H]. exact (H [] (NoDup_nil _)). Qed.

Lemma sum_list_prod {A B} (l : list A) (m : list B) (f : A -> R) (g : B -> R) :
  sum (list_prod l m) (fun x => f (fst x) * g (snd x)) = sum l f * sum m g.
Proof.
  induction l as [|a l IH]; cbn [list_prod]; [cbn; ring|].
  rewrite sum_app, sum_map, IH, sum_cons. cbn [fst snd]. rewrite sum_scal. ring.
Qed.

Lemma vector_nonneg {O} (ps : list (O -> R)) os :
  Forall (fun p => forall o, 0 <= p o) ps -> 0 <= vector ps os.
Proof.
  intros H. revert os. induction H as [|p ps Hp H IH]; intros [|o os]; cbn; try lra.
  now apply Rmult_le_pos.
Qed.

Lemma deduplicate {A} (l : list A) : exists d, NoDup d /\ incl l d.
Proof.
  induction l as [|a l (d & Hd & Hi)]; [exists []; split; [constructor|intros ? []]|].
  destruct (classic (In a d)) as [H|H].
  - exists d. split; [assumption|]. intros x [->|]; auto.
  - exists (a :: d). split; [now constructor|]. intros x [->|]; [now left|right; auto].
Qed.

Lemma cons_mass {O} (b c : R) (p : O -> R) (q : list O -> R) :
  mass_at_most b p -> mass_at_most c q ->
  mass_at_most (b * c) (fun os => match os with [] => 0 | o :: os => p o * q os end).
Proof.
  intros [Hp Hb] [Hq Hc]. split.
  - intros [|o os]; [lra|]. now apply Rmult_le_pos.
  - intros l Hl.
    destruct (deduplicate (flat_map (fun os => match os with [] => [] | o :: _ => [o] end) l))
      as (heads & Dh & Ih).
    destruct (deduplicate (flat_map (fun os => match os with [] => [] | _ :: r => [r] end) l))
      as (rests & Dr & Ir).
    assert (H : sum l (fun os => match os with [] => 0 | o :: os => p o * q os end)
                <= sum heads p * sum rests q).
    { rewrite <- sum_list_prod.
      rewrite <- (sum_map (fun x => fst x :: snd x) (list_prod heads rests)
                    (fun os => match os with [] => 0 | o :: os => p o * q os end)).
      set (F := fun os => match os with [] => 0 | o :: os => p o * q os end).
      assert (E : sum l F = sum (filter (fun os => match os with [] => false | _ => true end) l) F).
      { rewrite sum_filter. apply sum_ext. intros [|o os] _; reflexivity. }
      rewrite E. apply sum_incl.
      - now apply NoDup_filter.
      - intros os Hos. apply filter_In in Hos as [Hi Ht]. destruct os as [|o os]; [discriminate|].
        apply in_map_iff. exists (o, os). split; [reflexivity|]. apply in_prod.
        + apply Ih, in_flat_map. exists (o :: os). split; [assumption|now left].
        + apply Ir, in_flat_map. exists (o :: os). split; [assumption|now left].
      - intros [|o os] _; cbn; [lra|]. now apply Rmult_le_pos. }
    eapply Rle_trans; [exact H|]. apply Rmult_le_compat.
    + apply sum_nonneg. auto.
    + apply sum_nonneg. auto.
    + now apply Hb.
    + now apply Hc.
Qed.

(** Masses multiply. *)
Lemma vector_mass {O} (bs : list R) (ps : list (O -> R)) :
  Forall2 mass_at_most bs ps -> mass_at_most (fold_right Rmult 1 bs) (vector ps).
Proof.
  induction 1 as [|b p bs ps Hp H IH]; cbn [fold_right].
  - split.
    + intros [|]; cbn; lra.
    + intros l Hl. destruct (classic (In [] l)) as [Hi|Hi].
      * apply in_split in Hi as (l1 & l2 & ->). apply NoDup_remove in Hl as [_ Hn].
        rewrite sum_app, sum_cons, (sum_zero l1), (sum_zero l2); [cbn; lra| |];
          intros [|o os] Hi; try reflexivity; exfalso; apply Hn, in_or_app; auto.
      * rewrite sum_zero; [lra|]. intros [|o os] H; [contradiction|reflexivity].
  - assert (G := cons_mass b _ p (vector ps) Hp IH). destruct G as [G1 G2]. split.
    + intros [|o os]; [cbn; lra|apply (G1 (o :: os))].
    + intros l Hl. specialize (G2 l Hl).
      rewrite (sum_ext _ _ (fun os => match os with [] => 0 | o :: os => p o * vector ps os end));
        [assumption|]. intros [|o os] _; reflexivity.
Qed.

(** Independent draws from laws are a law. *)
Theorem vector_law {O} (ps : list (O -> R)) : Forall law ps -> law (vector ps).
Proof.
  intros H.
  assert (Hm : mass_at_most 1 (vector ps)).
  { assert (G : Forall2 mass_at_most (map (fun _ => 1) ps) ps).
    { clear - H. induction H; cbn; constructor; auto using law_mass. }
    apply vector_mass in G.
    assert (E : fold_right Rmult 1 (map (fun _ : O -> R => 1) ps) = 1).
    { clear. induction ps as [|p ps IH]; cbn; [reflexivity|]. rewrite IH. ring. }
    now rewrite E in G. }
  split; [apply Hm|]. split; [intros x (l & Hl & ->); now apply Hm|].
  clear Hm. induction H as [|p ps Hp H IH]; intros b Hb.
  - apply Hb. exists [[]]. split; [|cbn; lra]. repeat constructor. intros [].
  - destruct Hp as [Hp0 [Hpu Hpl]].
    assert (Hq : forall os, 0 <= vector ps os).
    { intros os. apply vector_nonneg. clear - H. induction H as [|q qs [Hq _] H IH]; auto. }
    assert (Hall : forall l m, NoDup l -> NoDup m -> sum l p * sum m (vector ps) <= b).
    { intros l m Hl Hm. apply Hb. exists (map (fun x => fst x :: snd x) (list_prod l m)). split.
      - apply FinFun.Injective_map_NoDup.
        + intros [a r] [a' r'] E. cbn in E. congruence.
        + clear - Hl Hm. induction Hl as [|a l Ha Hl IH]; cbn; [constructor|].
          assert (App : forall (u v : list (O * list O)), NoDup u -> NoDup v ->
                    (forall x, In x u -> ~ In x v) -> NoDup (u ++ v)).
          { clear. induction 1 as [|x u Hx Hu IH]; intros Hv Hd; cbn; [assumption|].
            constructor.
            - intros Hi. apply in_app_or in Hi as [Hi|Hi]; [contradiction|].
              apply (Hd x); [now left|assumption].
            - apply IH; [assumption|]. intros y Hy. apply Hd. now right. }
          apply App.
          * apply FinFun.Injective_map_NoDup; [|assumption]. intros u v E. congruence.
          * exact IH.
          * intros [x y] Hx Hx'. apply in_map_iff in Hx as (z & E & _). injection E as <- <-.
            apply in_prod_iff in Hx' as [Hx' _]. contradiction.
      - rewrite sum_map, <- sum_list_prod. reflexivity. }
    apply IH. intros x (m & Hm & ->).
    destruct (Rle_lt_or_eq_dec 0 (sum m (vector ps))) as [Hpos|Hz].
    + apply sum_nonneg. auto.
    + assert (1 <= b / sum m (vector ps)).
      { apply Hpl. intros y (l & Hl & ->).
        apply (Rmult_le_reg_r (sum m (vector ps))); [assumption|]. unfold Rdiv.
        rewrite Rmult_assoc, Rinv_l by lra. rewrite Rmult_1_r. auto. }
      apply (Rmult_le_compat_r (sum m (vector ps))) in H0; [|lra]. unfold Rdiv in H0.
      rewrite Rmult_assoc, Rinv_l in H0 by lra. lra.
    + rewrite <- Hz. specialize (Hall [] [] (NoDup_nil _) (NoDup_nil _)). cbn in Hall. lra.
Qed.

(** ** Laws that differ in a few coordinates *)

Lemma vector_at {O} (d : O) (l r : list (O -> R)) (p : O -> R) : forall os,
  vector (l ++ p :: r) os
  = p (nth (length l) os d) * vector (l ++ (fun _ => 1) :: r) os.
Proof.
  induction l as [|q l IH]; intros [|o os]; cbn; try ring.
  rewrite IH. ring.
Qed.

(** [p] is at most [c] times [q] plus something of total mass [delta]. *)
Definition near {O : Type} (c delta : R) (p q : O -> R) : Prop :=
  exists s, mass_at_most delta s /\ forall o, p o <= c * q o + s o.

Lemma near_event {O} c delta (p q : O -> R) :
  near c delta p q -> forall event, NoDup event -> sum event p <= c * sum event q + delta.
Proof.
  intros (s & [_ Hs] & H) event Hd. specialize (Hs event Hd). rewrite <- sum_scal.
  assert (sum event p <= sum event (fun o => c * q o + s o)) by (apply sum_le; auto).
  rewrite sum_plus in *. lra.
Qed.

Lemma mass_at_most_le {O} b c (p : O -> R) : b <= c -> mass_at_most b p -> mass_at_most c p.
Proof. intros H [Hp Hb]. split; [assumption|]. intros l Hl. specialize (Hb l Hl). lra. Qed.

Lemma vector_mass_one {O} (ps : list (O -> R)) b (f : O -> R) (qs : list (O -> R)) :
  Forall law ps -> mass_at_most b f -> Forall law qs -> mass_at_most b (vector (ps ++ f :: qs)).
Proof.
  intros Hp Hf Hq.
  assert (L : forall ps, Forall law ps -> Forall2 mass_at_most (map (fun _ : O -> R => 1) ps) ps).
  { clear. induction 1; cbn; constructor; auto using law_mass. }
  assert (E : forall (ps : list (O -> R)) c, fold_right Rmult c (map (fun _ => 1) ps) = c).
  { clear. induction ps as [|p ps IH]; intros c; cbn; [reflexivity|]. rewrite IH. ring. }
  assert (G := vector_mass (map (fun _ => 1) ps ++ b :: map (fun _ => 1) qs) (ps ++ f :: qs)).
  rewrite fold_right_app, E in G. cbn [fold_right] in G. rewrite E, Rmult_1_r in G.
  apply G. apply Forall2_app; [auto|]. constructor; auto.
Qed.

(** One coordinate differs. *)
Lemma near_one {O} (d : O) c delta (l r : list (O -> R)) p q :
  Forall law l -> Forall law r -> near c delta p q ->
  near c delta (vector (l ++ p :: r)) (vector (l ++ q :: r)).
Proof.
  intros Hl Hr (s & Hs & H). exists (vector (l ++ s :: r)). split; [now apply vector_mass_one|].
  intros os. rewrite (vector_at d l r p), (vector_at d l r q), (vector_at d l r s).
  assert (Hn : 0 <= vector (l ++ (fun _ => 1) :: r) os).
  { apply vector_nonneg. apply Forall_app; split.
    - eapply Forall_impl; [|exact Hl]. now intros a [Ha _].
    - constructor; [intros; lra|]. eapply Forall_impl; [|exact Hr]. now intros a [Ha _]. }
  specialize (H (nth (length l) os d)). apply (Rmult_le_compat_r _ _ _ Hn) in H. lra.
Qed.

(** Two coordinates differ; [f] and [g] have together the mass [b * c']. *)
Lemma near_two {O} (d : O) c delta b b' (l m r : list (O -> R)) p p' q q' f f' :
  Forall law l -> Forall law m -> Forall law r ->
  mass_at_most b f -> mass_at_most b' f' -> b * b' <= delta ->
  (forall o o', p o * p' o' <= c * (q o * q' o') + f o * f' o') ->
  near c delta (vector (l ++ p :: m ++ p' :: r)) (vector (l ++ q :: m ++ q' :: r)).
Proof.
  intros Hl Hm Hr Hf Hf' Hbb H. exists (vector (l ++ f :: m ++ f' :: r)). split.
  - apply (mass_at_most_le (b * b')); [assumption|].
    assert (L : forall ps, Forall law ps -> Forall2 mass_at_most (map (fun _ : O -> R => 1) ps) ps).
    { clear. induction 1; cbn; constructor; auto using law_mass. }
    assert (E : forall (ps : list (O -> R)) c, fold_right Rmult c (map (fun _ => 1) ps) = c).
    { clear. induction ps as [|x ps IH]; intros c; cbn; [reflexivity|]. rewrite IH. ring. }
    assert (G := vector_mass (map (fun _ => 1) l ++ b :: map (fun _ => 1) m ++ b' :: map (fun _ => 1) r)
                   (l ++ f :: m ++ f' :: r)).
    rewrite fold_right_app, E in G. cbn [fold_right] in G.
    rewrite fold_right_app, E in G. cbn [fold_right] in G. rewrite E, Rmult_1_r in G.
    apply G. apply Forall2_app; [auto|]. constructor; [assumption|].
    apply Forall2_app; [auto|]. constructor; auto.
  - intros os.
    assert (X : forall u u' : O -> R, vector (l ++ u :: m ++ u' :: r) os =
        u (nth (length l) os d) * u' (nth (length l + S (length m)) os d) *
        vector (l ++ (fun _ => 1) :: m ++ (fun _ => 1) :: r) os).
    { intros u u'. rewrite (vector_at d l _ u).
      replace (l ++ (fun _ : O => 1) :: m ++ u' :: r) with ((l ++ (fun _ : O => 1) :: m) ++ u' :: r)
        by now rewrite <- app_assoc.
      rewrite (vector_at d _ r u'). rewrite app_length. cbn [length].
      rewrite <- app_assoc. cbn [app]. ring. }
    rewrite (X p p'), (X q q'), (X f f').
    assert (Hn : 0 <= vector (l ++ (fun _ => 1) :: m ++ (fun _ => 1) :: r) os).
    { assert (P : forall ps : list (O -> R), Forall law ps -> Forall (fun p => forall o, 0 <= p o) ps).
      { intros ps Hps. eapply Forall_impl; [|exact Hps]. now intros a [Ha _]. }
      apply vector_nonneg. apply Forall_app; split; [auto|]. constructor; [intros; lra|].
      apply Forall_app; split; [auto|]. constructor; [intros; lra|auto]. }
    specialize (H (nth (length l) os d) (nth (length l + S (length m)) os d)).
    apply (Rmult_le_compat_r _ _ _ Hn) in H. lra.
Qed.
