using System.Collections.Immutable;
using System.Globalization;
using Ripple.Admin.Contracts;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Definitions;
using Ripple.Gms.Frontier;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;

namespace Ripple.Gms.Calls;

/// <summary>
/// Publishes and rollbacks, for real or as a plan: judged, bounded and answered here for both interfaces. Each callback runs
/// once, on the core, now or later. Core thread.
/// </summary>
internal sealed class PublishCalls(
    HostContext context,
    Authorizer authorizer,
    AccessTokenTable tokens,
    ApplicationTable applications,
    DefinitionTable definitions,
    IPublishPreparer preparer,
    GmsCounters counters,
    PastStates past,
    Func<string, IEnumerable<MemberRecord>> membersOf)
{
    private const string TooManyPrepared = "The host checks as many publishes as it may at one time. Try again with the same publish id.";
    private const string TooManyUnderWay = "Too many publishes are under way. Try again with the same publish id.";

    /// <summary>A publisher that reuses a publish id would have the first publish released, and no other.</summary>
    private static readonly Refusal NoPublishId = new(
        ErrorCode.InvalidRequest, "The publish id is zero. Make one for each change, and send it again when you ask again.");

    /// <summary>Rollbacks that wait, by application, while one of the same is under way.</summary>
    private readonly Dictionary<uint, Queue<Action>> _rollbacks = [];

    /// <summary>The memory of publishes under way.</summary>
    public UploadBudget Uploads { get; } = new(context.Options.UploadBytesMax);

    /// <summary>Lets a publish begin, before its values are there. Null when it is refused.</summary>
    /// <param name="caller">Who publishes.</param>
    /// <param name="application">The application.</param>
    /// <param name="valueBytes">The bytes of its values, as announced.</param>
    /// <param name="headBytes">The bytes of its names and note.</param>
    /// <param name="refusal">Why it is refused.</param>
    public UploadBudget.Lease? TryBegin(Caller caller, string application, long valueBytes, long headBytes, out Refusal? refusal)
    {
        // Its keys are not known yet: the least that any publish takes, and judged again when they are.
        refusal = authorizer.RefusePublish(caller, application, areReports: true);
        if (refusal is not null)
        {
            return null;
        }

        if (valueBytes > ReleaseLimits.PublishBytesMax)
        {
            string text = string.Create(
                CultureInfo.InvariantCulture,
                $"The values have {valueBytes} bytes together; a publish has at most {ReleaseLimits.PublishBytesMax}. Publish in parts.");
            refusal = new Refusal(ErrorCode.TooLarge, text);
            return null;
        }

        UploadBudget.Lease? lease = Uploads.TryTake(tokens.OwnerOf(caller), valueBytes, headBytes);
        refusal = lease is null ? new Refusal(ErrorCode.Busy, TooManyUnderWay) : null;
        return lease;
    }

    /// <summary>Publishes. Goes on when nobody waits for it any more.</summary>
    /// <param name="caller">Who publishes.</param>
    /// <param name="input">What.</param>
    /// <param name="lease">Its room, from <see cref="TryBegin"/>; given back here.</param>
    /// <param name="prepared">Told when its values were checked, or will not be: whoever holds its names may let go of them.</param>
    /// <param name="done">What became of it.</param>
    public void Publish(Caller caller, PublishInput input, UploadBudget.Lease lease, Action prepared, Action<PublishAnswer> done) =>
        Prepare(
            input, lease, prepared, refusal => Refuse(refusal, done), publish => Order(caller, publish, Returning(lease, done)));

    /// <summary>What a publish would do. Nothing is changed, the publish id is not remembered, and a refusal is not counted.</summary>
    public void Plan(Caller caller, PublishInput input, UploadBudget.Lease lease, Action<Answer<PublishOutline>> done)
    {
        Prepare(input, lease, () => { }, refusal => done(refusal), publish =>
        {
            lease.Dispose();
            done(Outline(caller, publish));
        });
    }

    /// <summary>
    /// Makes the state of a past release the newest. Asked again with the same publish id, it is done once, also when nothing would change.
    /// </summary>
    public void Rollback(Caller caller, Rollback rollback, TraceContext? trace, Action<PublishAnswer> done) =>
        PrepareRollback(caller, rollback, isPlan: false, (answer, ended) =>
        {
            if (answer.Value is { } prepared)
            {
                Order(caller, prepared with { Input = prepared.Input with { Trace = trace } }, result =>
                {
                    ended();
                    done(result);
                });
            }
            else
            {
                ended();
                Refuse(answer.Refusal!, done);
            }
        });

    /// <summary>What a rollback would do; a refusal is not counted.</summary>
    public void PlanRollback(Caller caller, Rollback rollback, Action<Answer<PublishOutline>> done) =>
        PrepareRollback(caller, rollback, isPlan: true, (answer, ended) =>
        {
            ended();
            done(answer.Value is { } prepared ? Outline(caller, prepared) : answer.Refusal!);
        });

    /// <summary>Refuses a publish before it came to <see cref="Publish"/>.</summary>
    public void Refuse(Refusal refusal, Action<PublishAnswer> done)
    {
        counters.PublishesRefused++;
        done(new PublishAnswer(refusal.Code, refusal.Text, 0, 0, default));
    }

    private static Action<PublishAnswer> Returning(UploadBudget.Lease lease, Action<PublishAnswer> done) => answer =>
    {
        // Its values were in memory while it waited for those before it, and until it was on the disk.
        lease.Dispose();
        done(answer);
    };

    private void Prepare(
        PublishInput input, UploadBudget.Lease lease, Action prepared, Action<Refusal> refused, Action<PreparedPublish> go)
    {
        Refusal? wrong = input.PublishId == Guid.Empty ? NoPublishId : null;
        if (wrong is null && CompanionName.OwnerOf(input.Application) is { } owner)
        {
            // Read off the core: 64 texts of 4,096 characters are milliseconds. Levels are never taken away, so that what is in
            // effect now will do.
            ApplicationDefinitions? inEffect = definitions.Find(owner);
            wrong = inEffect is null ? DefinitionTable.BeingRead(owner) : null;
            ApplicationPrimary primary = applications.Find(owner)!;
            var newest = new ReleaseNumber(primary.Generation, primary.Committed.Release);
            input = input with
            {
                Rules = asked => DefinitionRules.Check(asked, inEffect!, newest),
                Guard = inEffect is null ? null : ReportRules.GuardOf(input, inEffect),
            };
        }

        if (wrong is not null)
        {
            prepared();
            lease.Dispose();
            refused(wrong);
            return;
        }

        bool isTaken = preparer.TryPrepare(input, (publish, refusal) => context.Completions.Complete(() =>
        {
            lease.ReturnHead();
            prepared();
            if (publish is not null)
            {
                go(publish);
                return;
            }

            lease.Dispose();
            refused(refusal!);
        }));
        if (!isTaken)
        {
            prepared();
            lease.Dispose();
            refused(new Refusal(ErrorCode.Busy, TooManyPrepared));
        }
    }

    private Refusal? RefusePublish(Caller caller, PublishInput input) => authorizer.RefusePublish(
        caller, input.Application, input.Keys.Count > 0 && input.Keys.All(k => DefinitionKey.IsReport(k.Key)));

    private void Order(Caller caller, PreparedPublish prepared, Action<PublishAnswer> done)
    {
        // Judged again: the token may have been revoked while the values came and were checked.
        if (RefusePublish(caller, prepared.Input) is { } refusal)
        {
            Refuse(refusal, done);
            return;
        }

        applications.FindOrMake(prepared.Input.Application, caller.Actor, (primary, absent) =>
        {
            if (primary is null)
            {
                Refuse(absent!, done);
                return;
            }

            primary.Publish(prepared, caller.Actor, answer =>
            {
                counters.PublishesRefused += answer.Code == ErrorCode.None ? 0 : 1;
                done(answer);
            });
        });
    }

    private void PrepareRollback(Caller caller, Rollback rollback, bool isPlan, Action<Answer<PreparedPublish>, Action> done)
    {
        if (authorizer.Find(caller, rollback.Application, AccessRole.Publisher, out Refusal? refusal) is not { } primary)
        {
            done(refusal!, () => { });
            return;
        }

        refusal = rollback.PublishId == Guid.Empty ? NoPublishId
            : PublishText.CheckNote(rollback.Note) is { } wrong ? new Refusal(ErrorCode.InvalidRequest, wrong)
            : null;
        if (refusal is not null)
        {
            done(refusal, () => { });
            return;
        }

        // What externals reported stays true, whatever was defined then.
        Predicate<string>? isKept = CompanionName.OwnerOf(rollback.Application) is null ? null : DefinitionKey.IsReport;
        if (primary.RefusePast(rollback.ToRelease) is { } absent)
        {
            // One that was done before is known, also when what it went back to went since.
            bool isKnown = !isPlan && primary.IsKnown(caller.Actor, rollback.PublishId);
            done(isKnown ? RollbackPlan.Make(rollback, primary.Committed, isKept) : absent, () => { });
            return;
        }

        InTurn(primary.Topic, ended => past.Read(primary.Topic, rollback.ToRelease, answer => done(
            answer.Value is { } state
                ? RollbackPlan.Make(rollback, state, isKept)
                : answer.Refusal ?? primary.RefuseMissing(rollback.ToRelease),
            ended)));
    }

    /// <summary>
    /// Runs one rollback of an application at a time: each holds a whole past state until it is ordered. What waits is bounded by the
    /// places of reads and of requests.
    /// </summary>
    private void InTurn(uint topic, Action<Action> begin)
    {
        if (_rollbacks.TryGetValue(topic, out Queue<Action>? waiting))
        {
            waiting.Enqueue(() => begin(() => End(topic)));
            return;
        }

        _rollbacks.Add(topic, []);
        begin(() => End(topic));
    }

    private void End(uint topic)
    {
        if (_rollbacks[topic].TryDequeue(out Action? next))
        {
            next();
        }
        else
        {
            _rollbacks.Remove(topic);
        }
    }

    private Answer<PublishOutline> Outline(Caller caller, PreparedPublish prepared)
    {
        string application = prepared.Input.Application;
        if (RefusePublish(caller, prepared.Input) is { } refusal)
        {
            return refusal;
        }

        ApplicationPrimary? primary = applications.Find(application);
        ReleaseState newest = primary?.Committed ?? ReleaseState.Empty(application);
        uint generation = primary?.Generation ?? newest.Generation;
        if (!prepared.Input.Expected.Matches(generation, newest.Release))
        {
            string text = WrongExpectation.Text(newest, generation, prepared.Input.Expected) + "Read it, and plan again on top of it.";
            return new Refusal(ErrorCode.WrongExpectedRelease, text, newest.Release, generation);
        }

        ImmutableArray<KeyChange> changes = prepared.ChangesOn?.Invoke(newest) ?? prepared.Changes;
        return RollbackPlan.TooManyChanges(changes) is { } tooMany
            ? tooMany
            : new PublishOutline(newest, changes, [.. membersOf(application)]);
    }
}

/// <summary>The effect of a publish if it were ordered now. Immutable.</summary>
/// <param name="Newest">The state it would apply to.</param>
/// <param name="Changes">The changes, including those that have no effect.</param>
/// <param name="Members">The members it would reach.</param>
internal sealed record PublishOutline(ReleaseState Newest, ImmutableArray<KeyChange> Changes, IReadOnlyList<MemberRecord> Members);
