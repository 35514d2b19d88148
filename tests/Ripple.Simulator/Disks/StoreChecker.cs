using System.Globalization;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Disks;

/// <summary>
/// Judges the real store by the simulated one: every batch that became durable in a run is given to a SQLite file, which must then say,
/// before and after it is opened again, what the simulated disk says. After the run, outside of simulated time.
/// </summary>
internal sealed class StoreChecker(SimulatedWorld world, StoreImage image)
{
    private const string Name = "Store";
    private const int PageBytes = 256 * 1_024;
    private static readonly TimeSpan AnswerTimeMax = TimeSpan.FromSeconds(30);

    /// <summary>Writes the file, compares, and deletes it.</summary>
    public void CheckEnd()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("ripple-store-");
        try
        {
            string path = Path.Combine(folder.FullName, "host.db");
            using (var store = new SqliteHostStore(path))
            {
                Write(store);
                Compare(store);
            }

            using var again = new SqliteHostStore(path);
            Compare(again);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static string Text(ReleaseRecord? release) => release is null
        ? "none"
        : string.Create(
            CultureInfo.InvariantCulture,
            $"{release.Release} {Hex(release.Header)} {Hex(release.Signature)} {string.Join(' ', release.Bodies.Select(Text).Order())}");

    private static string Text(StoredBody body) => $"{body.Digest}={Digest160.Hash("body"u8, body.Bytes.Span)}";

    private static string Text(Digest160 digest, ReadOnlyMemory<byte>? value) =>
        value is { } bytes ? Text(new StoredBody(digest, bytes)) : "none";

    private static string Text(ReleaseState? state) =>
        state is null ? "none" : $"{state.Id} {string.Join(' ', state.Keys.Select(k => $"{k.Key} {k.Value}"))}";

    private static string Text(IReadOnlyList<StoredKey> keys) =>
        string.Join(' ', keys.Select(k => $"{k.Key} {k.Entry} {k.Release}").Order(StringComparer.Ordinal));

    private static string Text(AccessToken token) =>
        $"{token.Id} {Hex(token.SecretHash)} {string.Join(' ', token.Grants)} {token.CreatedUnixMicros} {token.ExpiresUnixMicros} "
            + $"{token.RevokedUnixMicros} {token.Name}";

    private static string Text(StoredApplication application) =>
        $"{application.Topic} {application.Name} {application.Generation} {application.Newest?.Id} {Hex(application.NewestSignature)} "
            + $"{Text(application.Keys)} {string.Join(' ', application.RecentPublishes)} "
            + $"{application.HistoryFrom} {application.MembersFrom} {string.Join(' ', application.Members.Select(Text))}";

    private static string Text(StoredMember member) =>
        $"{member.Node} {member.Name} {member.Zone} {string.Join(',', member.Labels)} {member.FirstRelease}-{member.LastRelease}";

    private static string Text(HostState state) =>
        $"{state.ClusterId} {state.SlotEpoch} {string.Join('\n', state.Applications.Select(Text))} "
            + string.Join('\n', state.Tokens.Select(Text));

    private static string Text<T>(IEnumerable<T>? items, Func<T, string> text) => string.Join('\n', items?.Select(text) ?? ["nothing"]);

    private static string Hex(ReadOnlyMemory<byte> bytes) => Convert.ToHexString(bytes.Span);

    private void Write(SqliteHostStore store)
    {
        var answers = new Queue<Task<CommitResult>>();
        foreach (CommitBatch batch in image.Batches)
        {
            var answer = new TaskCompletionSource<CommitResult>(TaskCreationOptions.RunContinuationsAsynchronously);
            while (!store.Commit(batch, answer.SetResult))
            {
                Judge(answers.Dequeue());
            }

            answers.Enqueue(answer.Task);
        }

        while (answers.TryDequeue(out Task<CommitResult>? answer))
        {
            Judge(answer);
        }
    }

    private void Judge(Task<CommitResult> answer)
    {
        CommitResult? result = answer.Wait(AnswerTimeMax) ? answer.Result : null;
        if (result is not { IsDone: true })
        {
            world.Fail(Name, $"the store did not take a batch that the simulated one took: {result?.Reason ?? "no answer"}");
        }
    }

    private void Compare(SqliteHostStore store)
    {
        Equal("the state at a start", Text(store.Load()), Text(image.Load(new HostStoreOptions().PublishHorizonCount)));
        Equal("the tokens", Text(Read<IReadOnlyList<AccessToken>>(store.ReadTokens), Text), Text(image.AccessTokenList(), Text));
        foreach (ApplicationImage application in image.Applications.Values)
        {
            CompareReleases(store, application);
            CompareAudit(store, application.Name, long.MaxValue, 1_000);
        }

        CompareAudit(store, null, long.MaxValue, 1_000);
        CompareAudit(store, null, Math.Max(1, image.Audit.Count / 2), 3);

        // Also the values that went with the history.
        Digest160[] digests =
        [
            default, .. image.Batches.SelectMany(b => b.Releases).SelectMany(r => r.Header.Changes).Select(c => c.Digest).Distinct(),
        ];
        foreach (uint topic in image.Applications.Keys)
        {
            foreach (Digest160 digest in digests)
            {
                CompareValue(store, topic, digest);
            }
        }
    }

    private void CompareValue(SqliteHostStore store, uint topic, Digest160 digest) => Equal(
        $"the value {digest} of topic {topic}",
        Text(digest, Read<ReadOnlyMemory<byte>?>(done => store.ReadBody(topic, digest, done))),
        Text(digest, image.Body(topic, digest)));

    private void CompareReleases(SqliteHostStore store, ApplicationImage application)
    {
        uint topic = application.Topic;
        ulong newest = (ulong)application.Releases.Count;
        ulong oldest = application.HistoryFrom;
        foreach (ulong release in new ulong[] { 0, 1, oldest - 1, oldest, oldest + 1, newest / 2, newest, newest + 1 }.Distinct())
        {
            Equal(
                $"{application.Name} at {release}",
                Text(Read<ReleaseState?>(done => store.ReadState(topic, release, done))),
                Text(image.State(topic, release)));
            Equal(
                $"the releases of {application.Name} from {release}",
                Text(Read<IReadOnlyList<ReleaseRecord>>(done => store.ReadReleases(topic, release, PageBytes, done)), Text),
                Text(image.Releases(topic, release, PageBytes), Text));
            Equal(
                $"the history of {application.Name} before {release}",
                Text(Read<IReadOnlyList<ReleaseRecord>>(done => store.ReadHistory(topic, release, 5, done)), Text),
                Text(image.History(topic, release, 5), Text));
        }
    }

    private void CompareAudit(SqliteHostStore store, string? application, long before, int countMax) => Equal(
        $"the audit of {application ?? "all"} before {before}",
        Text(Read<IReadOnlyList<AuditRecord>>(done => store.ReadAudit(application, before, countMax, done)), r => r.ToString()),
        Text(image.AuditBefore(application, before, countMax), r => r.ToString()));

    private T? Read<T>(Func<Action<ReadResult<T>>, bool> ask)
    {
        var answer = new TaskCompletionSource<ReadResult<T>>(TaskCreationOptions.RunContinuationsAsynchronously);
        if (!ask(answer.SetResult) || !answer.Task.Wait(AnswerTimeMax) || answer.Task.Result.Status != StoreStatus.Done)
        {
            world.Fail(Name, $"the store does not read: {(answer.Task.IsCompleted ? answer.Task.Result.Reason : "no answer")}");
        }

        return answer.Task.Result.Value;
    }

    private void Equal(string what, string real, string truth)
    {
        if (real != truth)
        {
            int at = real.Zip(truth).TakeWhile(p => p.First == p.Second).Count();
            world.Fail(Name, $"{what} in the store says '{Near(real, at)}' where the simulated one says '{Near(truth, at)}'");
        }
    }

    private static string Near(string text, int at) => at >= text.Length ? "" : text[at..Math.Min(text.Length, at + 60)];
}
