using System.Runtime.CompilerServices;
using Ripple.Client.Running;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Row = Ripple.Engine.Protocol.Calls.HistoryEntry;

namespace Ripple.Client.Calls;

/// <summary>Calls that read from a host (history, keys at a release, status) or create an application.</summary>
internal sealed class Reader(HostCalls calls, CoreDispatcher dispatcher, ClientCore core, TimeSpan timeout) : IDisposable
{
    private const int FetchesMax = 16;
    private const int FetchTriesMax = 3;
    private const ushort PageEntries = 200;
    private readonly SemaphoreSlim _fetchSlots = new(FetchesMax, FetchesMax);

    /// <summary>An application's releases before a given release, newest first, fetched page by page.</summary>
    public async IAsyncEnumerable<HistoryEntry> HistoryAsync(
        string application, ulong? before, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ulong next = before ?? ulong.MaxValue;
        while (next > 1)
        {
            ulong from = next;
            HistoryResult page = await calls.AskAsync(
                $"the history of '{application}'",
                call => new History(call, application, from, PageEntries),
                (HistoryResult a) => a.Code,
                timeout,
                cancellationToken).ConfigureAwait(false);
            HostCalls.ThrowIfRefused(page.Code, page.Text);
            foreach (Row row in page.Entries)
            {
                if (row.Release >= next)
                {
                    throw new RippleException(
                        ErrorCode.InvalidRequest,
                        $"The host sent the history of '{application}' out of order. Report this as a fault of the host.");
                }

                next = row.Release;
                yield return HistoryEntry.From(row);
            }

            if (page.Entries.Count == 0)
            {
                yield break;
            }
        }
    }

    /// <summary>A key's value at a release, or at the newest; null if the key does not exist there.</summary>
    public async Task<ReadResult?> ReadAsync(string application, string key, ulong? release, CancellationToken cancellationToken)
    {
        if (ReleaseNames.CheckKey(key) is { } wrong)
        {
            throw new RippleException(ErrorCode.InvalidRequest, wrong);
        }

        await _fetchSlots.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            for (int i = 0; i < FetchTriesMax; i++)
            {
                ReadKeyResult found = await calls.AskAsync(
                    $"the key '{key}' of '{application}'",
                    call => new ReadKey(call, application, release ?? 0, key),
                    (ReadKeyResult a) => a.Code,
                    timeout,
                    cancellationToken).ConfigureAwait(false);
                if (found.Code == ErrorCode.NotFound)
                {
                    return null;
                }

                HostCalls.ThrowIfRefused(found.Code, found.Text);
                if (await FetchAsync(found, cancellationToken).ConfigureAwait(false) is { } value)
                {
                    return new ReadResult(found.Generation, found.Release, value);
                }
            }

            throw new RippleException(
                ErrorCode.NotFound,
                $"The host knows the key '{key}' of '{application}' at that release, and could not send its bytes. "
                + "Look at the host's log and its store.");
        }
        finally
        {
            _fetchSlots.Release();
        }
    }

    /// <summary>An application's newest release and the progress of each member.</summary>
    public async Task<ApplicationStatus> StatusAsync(string application, CancellationToken cancellationToken)
    {
        CallAttempt<StatusPages> NewAttempt()
        {
            var pages = new StatusPages();
            return new(
                calls.Completions,
                (link, call) => link.TrySend(new Status(call, application)),
                answer => answer is StatusResult page && pages.Add(page) ? pages : null);
        }

        string what = $"the status of '{application}'";
        StatusPages status =
            await calls.AskAsync(what, NewAttempt, p => p.Last!.Code, timeout, isWait: false, cancellationToken).ConfigureAwait(false);
        HostCalls.ThrowIfRefused(status.Last!.Code, status.Last.Text);
        return new ApplicationStatus(status.Last.Generation, status.Last.Release, status.Members);
    }

    /// <summary>Creates an application.</summary>
    public async Task CreateApplicationAsync(string application, CancellationToken cancellationToken)
    {
        CallResult result = await calls.AskAsync(
            $"the creation of '{application}'",
            call => new CreateApplication(call, application),
            (CallResult a) => a.Code,
            timeout,
            cancellationToken).ConfigureAwait(false);
        HostCalls.ThrowIfRefused(result.Code, result.Text);
    }

    /// <summary>Disposes of the semaphore; no read may be waiting.</summary>
    public void Dispose() => _fetchSlots.Dispose();

    private async Task<ReadOnlyMemory<byte>?> FetchAsync(ReadKeyResult found, CancellationToken cancellationToken)
    {
        if (found.Length == 0)
        {
            return ReadOnlyMemory<byte>.Empty;
        }

        if (found.Length > ReleaseLimits.BodyBytesMax)
        {
            return null;
        }

        var fetched = new TaskCompletionSource<ReadOnlyMemory<byte>?>(calls.Completions);
        await dispatcher.PostAsync(
            () =>
            {
                if (core.Node is { } node)
                {
                    node.FetchBody(found.Topic, found.Digest, (int)found.Length, bytes => fetched.TrySetResult(bytes));
                }
                else
                {
                    fetched.TrySetResult(null);
                }
            },
            cancellationToken).ConfigureAwait(false);
        return await dispatcher.WaitAsync(fetched.Task, cancellationToken).ConfigureAwait(false);
    }

    private sealed class StatusPages
    {
        private readonly List<MemberStatus> _members = [];

        public StatusResult? Last { get; private set; }

        public IReadOnlyList<MemberStatus> Members => _members;

        /// <summary>Adds a page; returns true if it was the last.</summary>
        public bool Add(StatusResult page)
        {
            Last = page;
            _members.AddRange(page.Rows.Select(r => new MemberStatus
            {
                Node = r.Node,
                Incarnation = r.Incarnation,
                Name = r.Name,
                Zone = r.Zone,
                State = (MemberState)r.State,
                Received = r.Received,
                Persisted = r.Persisted,
                Applied = r.Applied,
                DirectApplied = r.DirectApplied,
                Rejected = r.Rejected,
                Reason = r.Reason,
            }));
            return page.IsLast || page.Code != ErrorCode.None;
        }
    }
}
