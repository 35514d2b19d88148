using System.Globalization;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Gms.Frontier;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;

namespace Ripple.Gms.Calls;

/// <summary>
/// What may be read of applications: states, history, who has what. Judged and bounded here for both interfaces. Each
/// callback runs once, on the core, now or later. Core thread.
/// </summary>
internal sealed class ReadCalls(
    HostContext context,
    Authorizer authorizer,
    ApplicationTable applications,
    FrontierSet frontiers,
    PastStates past,
    Func<string, int> memberCountOf)
{
    /// <summary>A page of history is one answer: the control channel's longest frame, or a page of the admin API.</summary>
    public const int HistoryMax = 200;

    /// <summary>The applications the caller may read, by name; companions are not among them.</summary>
    public IReadOnlyList<ApplicationView> List(Caller caller) =>
    [
        .. applications.All
            .Where(a => CompanionName.OwnerOf(a.Name) is null && authorizer.Judge(caller, a.Name, AccessRole.Node) is null)
            .Select(View),
    ];

    /// <summary>One application.</summary>
    public Answer<ApplicationView> Read(Caller caller, string application) =>
        Find(caller, application, out Refusal? refusal) is { } primary ? View(primary) : refusal!;

    /// <summary>How far each node is, also of departed nodes, and the newest state.</summary>
    public Answer<(ReleaseState Newest, IReadOnlyList<StatusRow> Rows)> Status(Caller caller, string application) =>
        Find(caller, application, out Refusal? refusal) is { } primary ? (primary.Committed, [.. frontiers.Of(primary).Rows()]) : refusal!;

    /// <summary>A page of <see cref="Status"/>, in the order of nodes and incarnations.</summary>
    /// <param name="caller">Who asks.</param>
    /// <param name="application">The application.</param>
    /// <param name="after">The last row of the page before; null for the first page.</param>
    /// <param name="rowsMax">The most rows.</param>
    public Answer<(ReleaseState Newest, IReadOnlyList<StatusRow> Rows, bool IsLast)> StatusPage(
        Caller caller, string application, (NodeId Node, ulong Incarnation)? after, int rowsMax)
    {
        if (Find(caller, application, out Refusal? refusal) is not { } primary)
        {
            return refusal!;
        }

        StatusRow[] rows = [.. frontiers.Of(primary).RowsAfter(after).Take(rowsMax + 1)];
        return (primary.Committed, rows.Length > rowsMax ? rows[..rowsMax] : rows, rows.Length <= rowsMax);
    }

    /// <summary>The number of rows of an application's status, for an estimate of its cost; 0 if there is no such application.</summary>
    public int RowCount(string application) =>
        applications.Find(application) is { } primary ? frontiers.Of(primary).Table.Rows.Count : 0;

    /// <summary>The key table of an application at a release.</summary>
    /// <param name="caller">Who asks.</param>
    /// <param name="application">The application.</param>
    /// <param name="release">The release; null for the newest, 0 for the empty state before the first.</param>
    /// <param name="done">The state.</param>
    public void State(Caller caller, string application, ulong? release, Action<Answer<HistoricalState>> done)
    {
        if (Find(caller, application, out Refusal? refusal) is not { } primary)
        {
            done(refusal!);
            return;
        }

        ReleaseState newest = primary.Committed;
        if (release is null || release == newest.Release)
        {
            done(HistoricalState.Of(primary.Topic, newest));
        }
        else if (release == 0)
        {
            done(new HistoricalState(primary.Topic, 0, 0, ReleaseState.Empty(application).Keys));
        }
        else if (primary.RefusePast(release.Value) is { } absent)
        {
            done(absent);
        }
        else
        {
            past.Read(primary.Topic, release.Value, answer => done(
                answer.Value is { } state ? HistoricalState.Of(primary.Topic, state)
                : answer.Refusal ?? primary.RefuseMissing(release.Value)));
        }
    }

    /// <summary>Where the value of a key is: its digest, form and length.</summary>
    /// <param name="caller">Who asks.</param>
    /// <param name="application">The application.</param>
    /// <param name="key">The key.</param>
    /// <param name="release">As for <see cref="State"/>.</param>
    /// <param name="done">The state it is in, and its entry.</param>
    public void Key(
        Caller caller, string application, string key, ulong? release, Action<Answer<(HistoricalState State, KeyEntry Entry)>> done) =>
        State(caller, application, release, answer => done(
            answer.Value is not { } state ? answer.Refusal!
            : state.Keys.TryGetValue(key, out KeyEntry entry) ? (state, entry)
            : new Refusal(
                ErrorCode.NotFound,
                string.Create(CultureInfo.InvariantCulture, $"'{application}' has no key '{key}' at release {state.Release}."))));

    /// <summary>The value of a key, byte for byte as published.</summary>
    public void Value(
        Caller caller,
        string application,
        string key,
        ulong? release,
        Action<Answer<(HistoricalState State, KeyEntry Entry, ReadOnlyMemory<byte> Bytes)>> done) =>
        Key(caller, application, key, release, answer =>
        {
            if (answer.Refusal is { } refusal)
            {
                done(refusal);
                return;
            }

            (HistoricalState state, KeyEntry entry) = answer.Value;
            Action<ReadResult<ReadOnlyMemory<byte>?>> read = context.OnCore<ReadResult<ReadOnlyMemory<byte>?>>(result => done(
                StoreAnswer.RefusalOf(result) is { } failed ? failed
                : result.Value is { } bytes ? (state, entry, bytes)
                : applications.Find(application)?.RefusePast(state.Release) is { } gone ? gone
                : new Refusal(
                    ErrorCode.StoreDamaged, $"The value of '{key}' is missing from the store. The store is damaged: restore a backup.")));
            if (!context.Store.ReadBody(state.Topic, entry.Digest, read))
            {
                done(StoreAnswer.Busy);
            }
        });

    /// <summary>The releases before one, newest first.</summary>
    /// <param name="caller">Who asks.</param>
    /// <param name="application">The application.</param>
    /// <param name="before">Only releases before this one; <see cref="ulong.MaxValue"/> for the newest.</param>
    /// <param name="count">At most so many; taken as 1 to <see cref="HistoryMax"/>.</param>
    /// <param name="done">The headers.</param>
    public void History(Caller caller, string application, ulong before, int count, Action<Answer<IReadOnlyList<ReleaseHeader>>> done)
    {
        if (Find(caller, application, out Refusal? refusal) is not { } primary)
        {
            done(refusal!);
            return;
        }

        bool isTaken = context.Store.ReadHistory(primary.Topic, before, Math.Clamp(count, 1, HistoryMax), result =>
        {
            // Decoded where the answer comes from: two hundred headers would hold up the core.
            Answer<IReadOnlyList<ReleaseHeader>> answer = StoreAnswer.RefusalOf(result) is { } failed
                ? failed
                : Decode(application, result.Value!);
            context.Completions.Complete(() => done(answer));
        });
        if (!isTaken)
        {
            done(StoreAnswer.Busy);
        }
    }

    /// <summary>The header of one release.</summary>
    public void Release(Caller caller, string application, ulong release, Action<Answer<ReleaseHeader>> done)
    {
        if (Find(caller, application, out Refusal? refusal) is not { } primary)
        {
            done(refusal!);
        }
        else if (primary.RefusePast(release) is { } absent)
        {
            done(absent);
        }
        else
        {
            History(caller, application, release + 1, 1, answer => done(
                answer.Refusal is { } failed ? failed
                : answer.Value is [var found] && found.Release == release ? found
                : primary.RefuseMissing(release)));
        }
    }

    private ApplicationView View(ApplicationPrimary primary) =>
        new(primary.Name, primary.Generation, primary.Committed, memberCountOf(primary.Name));

    private static Answer<IReadOnlyList<ReleaseHeader>> Decode(string application, IReadOnlyList<ReleaseRecord> records)
    {
        var headers = new List<ReleaseHeader>(records.Count);
        foreach (ReleaseRecord record in records)
        {
            if (!ReleaseHeader.TryDecode(record.Header.Span, out ReleaseHeader? header))
            {
                string text =
                    $"The header of release {record.Release} of '{application}' cannot be read. The store is damaged: restore a backup.";
                return new Refusal(ErrorCode.StoreFailed, text);
            }

            headers.Add(header);
        }

        return new Answer<IReadOnlyList<ReleaseHeader>>(headers, null);
    }

    private ApplicationPrimary? Find(Caller caller, string application, out Refusal? refusal) =>
        authorizer.Find(caller, application, AccessRole.Node, out refusal);
}

/// <summary>A snapshot of an application. Immutable.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Generation">The generation of its next release.</param>
/// <param name="State">Its newest committed state.</param>
/// <param name="NodeCount">The number of nodes that currently receive its releases.</param>
internal sealed record ApplicationView(string Name, uint Generation, ReleaseState State, int NodeCount);
