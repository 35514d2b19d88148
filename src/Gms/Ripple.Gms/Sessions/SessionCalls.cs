using System.Globalization;
using Ripple.Engine.Frontier.Waits;
using Ripple.Engine.Links;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Ripple.Gms.Core;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;

namespace Ripple.Gms.Sessions;

/// <summary>
/// The calls of the API on one connection: publish, rollback, history, read, wait, status, create. Each is judged by the token of the connection first.
/// Bounded: uploads and waits under way. Core thread.
/// </summary>
internal sealed class SessionCalls(HostCore host, HostContext context, NodeConnection session) : IBulkFeed
{
    private const int UploadsMax = 128;
    private const int BegunBytesMax = 16 * WireLimits.ControlBytesMax;
    private const int WaitsMax = 256;
    /// <summary>What a wait takes here, besides the wait itself.</summary>
    private const int WaitBytes = 256;
    private const int HistoryMax = 200;
    private const int StatusRowsPerFrame = 100;
    private const int KeysTextCharsMax = 300;
    private readonly SortedDictionary<uint, PublishUpload> _uploads = [];
    private readonly SortedDictionary<uint, IDisposable> _waits = [];
    private readonly Queue<Func<ILink, bool>> _pages = [];
    private int _begunBytes;

    public static void AddMemory(MemoryBudget budget, GmsOptions options)
    {
        budget.Add(MemoryScope.Process, MemoryKind.Transient, "publishes that come, wait, or are being stored", 1, options.UploadBytesMax);
        budget.Add(MemoryScope.Application, MemoryKind.Transient, "sessions: waits", FrontierWaits.WaitsMax, WaitBytes);
    }

    /// <summary>False when the frame is malformed or not known.</summary>
    public bool TryTake(MessageType type, ReadOnlySpan<byte> body) => type switch
    {
        MessageType.PublishBegin => Take<PublishBegin>(body, OnPublishBegin),
        MessageType.PublishPart => Take<PublishPart>(body, OnPublishPart),
        MessageType.Rollback => Take<Rollback>(body, OnRollback),
        MessageType.History => Take<History>(body, OnHistory),
        MessageType.ReadKey => Take<ReadKey>(body, OnReadKey),
        MessageType.Wait => Take<Wait>(body, OnWait),
        MessageType.WaitCancel => Take<WaitCancel>(body, c => EndWait(c.Call)),
        MessageType.Status => Take<Status>(body, OnStatus),
        MessageType.CreateApplication => Take<CreateApplication>(body, OnCreateApplication),
        _ => false,
    };

    public bool Pump(ILink link)
    {
        while (_pages.TryPeek(out Func<ILink, bool>? send))
        {
            if (!send(link))
            {
                return false;
            }

            _pages.Dequeue();
        }

        return true;
    }

    public void OnClosed()
    {
        foreach (PublishUpload upload in _uploads.Values)
        {
            // What is complete goes on without its connection, and is counted until it has an end.
            host.UploadBytes -= upload.IsComplete ? 0 : upload.TotalBytes;
        }

        _uploads.Clear();
        host.UploadBegunBytes -= _begunBytes;
        _begunBytes = 0;
        foreach (IDisposable wait in _waits.Values)
        {
            wait.Dispose();
        }

        _waits.Clear();
    }

    private static bool Take<T>(ReadOnlySpan<byte> body, Action<T> handle)
        where T : class, IMessage<T>
    {
        if (MessageCodec.TryRead(body, out T? message) != DecodeStatus.Ok)
        {
            return false;
        }

        handle(message!);
        return true;
    }

    /// <summary>The application, when the token names it and allows the role; else null, and why not.</summary>
    private ApplicationPrimary? Authorize(string application, AccessRole role, out Refusal? refusal)
    {
        refusal = null;
        if (!host.Tokens.Allows(session.Peer, application, role))
        {
            refusal = new Refusal(
                ErrorCode.NotAllowed,
                $"The token {session.Peer.TokenId} does not allow this in '{application}': it takes the role {role} in that application. Ask an administrator.");
            return null;
        }

        ApplicationPrimary? primary = host.Find(application);
        if (primary is null)
        {
            refusal = new Refusal(ErrorCode.UnknownApplication, $"There is no application '{application}'. Create it first, or look for a typing error.");
        }

        return primary;
    }

    private void Answer(uint call, Refusal refusal)
    {
        host.Counters.PublishesRefused++;
        session.Send(new PublishResult(call, refusal.Code, refusal.Text, 0, 0, default));
    }

    private void Answer(uint call, PublishAnswer answer)
    {
        host.Counters.PublishesRefused += answer.Code == ErrorCode.None ? 0 : 1;
        session.Send(new PublishResult(call, answer.Code, answer.Text, answer.Generation, answer.Release, answer.Id));
    }

    private void OnPublishBegin(PublishBegin begin)
    {
        if (Authorize(begin.Application, AccessRole.Publisher, out Refusal? refusal) is null)
        {
            Answer(begin.Call, refusal!);
            return;
        }

        long announced = PublishUpload.Announced(begin);
        if (announced > ReleaseLimits.PublishBytesMax)
        {
            Answer(begin.Call, new Refusal(
                ErrorCode.TooLarge,
                string.Create(CultureInfo.InvariantCulture, $"The values have {announced} bytes together; a publish has at most {ReleaseLimits.PublishBytesMax}. Publish in parts.")));
            return;
        }

        int begunBytes = PublishUpload.KeyBytes(begin);
        if (_uploads.Count == UploadsMax || _begunBytes + begunBytes > BegunBytesMax || _uploads.ContainsKey(begin.Call)
            || host.UploadBytes + host.UploadBegunBytes + announced + begunBytes > context.Options.UploadBytesMax)
        {
            Answer(begin.Call, new Refusal(ErrorCode.Busy, "Too many publishes are under way. Try again with the same publish id."));
            return;
        }

        var upload = PublishUpload.Begin(begin);
        _uploads.Add(begin.Call, upload);
        _begunBytes += begunBytes;
        host.UploadBegunBytes += begunBytes;
        host.UploadBytes += upload.TotalBytes;
        FinishIfComplete(upload);
    }

    private void OnPublishPart(PublishPart part)
    {
        if (!_uploads.TryGetValue(part.Call, out PublishUpload? upload))
        {
            // It was refused at its beginning; the parts were on the way.
            return;
        }

        if (!upload.TryAdd(part.Bytes.Span))
        {
            Forget(upload);
            host.UploadBytes -= upload.TotalBytes;
            Answer(part.Call, new Refusal(ErrorCode.InvalidRequest, "More bytes came than the publish announced. This is a fault of the client library."));
            return;
        }

        FinishIfComplete(upload);
    }

    private void FinishIfComplete(PublishUpload upload)
    {
        if (!upload.IsComplete)
        {
            return;
        }

        PublishInput input = upload.ToInput();
        bool isTaken = context.Preparer.TryPrepare(input, (prepared, refusal) => context.Completions.Complete(() =>
        {
            Forget(upload);
            OnPrepared(upload, prepared, refusal);
        }));
        if (!isTaken)
        {
            Forget(upload);
            host.UploadBytes -= upload.TotalBytes;
            Answer(upload.Call, new Refusal(ErrorCode.Busy, "The host checks as many publishes as it may at one time. Try again with the same publish id."));
        }
    }

    private void Forget(PublishUpload upload)
    {
        if (_uploads.Remove(upload.Call))
        {
            _begunBytes -= upload.BegunBytes;
            host.UploadBegunBytes -= upload.BegunBytes;
        }
    }

    private void OnPrepared(PublishUpload upload, PreparedPublish? prepared, Refusal? refusal)
    {
        // Asked again: the token may have been revoked while the values came.
        ApplicationPrimary? primary = prepared is null ? null : Authorize(upload.Application, AccessRole.Publisher, out refusal);
        if (primary is null)
        {
            host.UploadBytes -= upload.TotalBytes;
            Answer(upload.Call, refusal!);
            return;
        }

        // Its values are in memory while it waits for those before it, and until it is on the disk.
        primary.Publish(prepared!, session.Actor, answer =>
        {
            host.UploadBytes -= upload.TotalBytes;
            Answer(upload.Call, answer);
        });
    }

    private void OnRollback(Rollback rollback)
    {
        if (Authorize(rollback.Application, AccessRole.Publisher, out Refusal? refusal) is not { } primary)
        {
            Answer(rollback.Call, refusal!);
            return;
        }

        bool isTaken = context.Store.ReadState(primary.Topic, rollback.ToRelease, context.OnCore<ReadResult<StateRecord?>>(result =>
        {
            if (result.Status != StoreStatus.Done || result.Value is not { } state)
            {
                Answer(rollback.Call, new Refusal(
                    ErrorCode.NotFound,
                    string.Create(CultureInfo.InvariantCulture, $"'{rollback.Application}' has no release {rollback.ToRelease} to go back to. Look at its history. {result.Reason}")));
                return;
            }

            PreparedPublish prepared = RollbackPlan.Make(rollback, state);
            // Also when nothing would change: asked again, it may be the rollback that was done.
            primary.Publish(prepared, session.Actor, answer => Answer(rollback.Call, answer));
        }));
        if (!isTaken)
        {
            Answer(rollback.Call, new Refusal(ErrorCode.Busy, "The store is busy; try again with the same publish id."));
        }
    }

    private void OnHistory(History history)
    {
        if (Authorize(history.Application, AccessRole.Node, out Refusal? refusal) is not { } primary)
        {
            session.Send(new HistoryResult(history.Call, refusal!.Code, refusal.Text, []));
            return;
        }

        int count = Math.Clamp((int)history.Count, 1, HistoryMax);
        bool isTaken = context.Store.ReadHistory(primary.Topic, history.Before, count, context.OnCore<ReadResult<IReadOnlyList<ReleaseRecord>>>(result =>
        {
            if (result.Status != StoreStatus.Done)
            {
                session.Send(new HistoryResult(history.Call, ErrorCode.StoreFailed, result.Reason ?? string.Empty, []));
                return;
            }

            var entries = new List<HistoryEntry>();
            int bytes = 0;
            foreach (ReleaseRecord record in result.Value!)
            {
                // The rest is asked for by the next page.
                if (bytes < WireLimits.ControlBytesMax - 8_192 && ReleaseHeader.TryDecode(record.Header.Span, out ReleaseHeader? header))
                {
                    HistoryEntry entry = Describe(header);
                    bytes += 128 + (entry.Note.Length * 3) + (entry.Keys.Length * 3);
                    entries.Add(entry);
                }
            }

            session.Send(new HistoryResult(history.Call, ErrorCode.None, string.Empty, entries));
        }));
        if (!isTaken)
        {
            session.Send(new HistoryResult(history.Call, ErrorCode.Busy, "The store is busy; try again.", []));
        }
    }

    private static HistoryEntry Describe(ReleaseHeader header)
    {
        string keys = string.Join('\n', header.Changes.Select(c => c.Key));
        if (keys.Length > KeysTextCharsMax)
        {
            int cut = keys.LastIndexOf('\n', KeysTextCharsMax);
            keys = cut > 0 ? keys[..cut] : string.Empty;
        }

        return new HistoryEntry(header.Release, header.Generation, header.Id, header.TimeUnixMicros, header.Actor, header.Note, (ushort)header.Changes.Length, keys);
    }

    private void OnReadKey(ReadKey read)
    {
        if (Authorize(read.Application, AccessRole.Node, out Refusal? refusal) is not { } primary)
        {
            session.Send(new ReadKeyResult(read.Call, refusal!.Code, refusal.Text, 0, 0, 0, default, 0));
            return;
        }

        if (read.Release == 0 || read.Release == primary.Committed.Release)
        {
            AnswerRead(read, primary, primary.Committed.Release, primary.Committed.Generation, primary.Committed.Keys.TryGetValue(read.Key, out KeyEntry entry) ? entry : null);
            return;
        }

        bool isTaken = context.Store.ReadState(primary.Topic, read.Release, context.OnCore<ReadResult<StateRecord?>>(result =>
        {
            KeyEntry? found = null;
            uint generation = 0;
            if (result.Value is { } state)
            {
                foreach (StoredKey key in state.Keys.Where(k => k.Key == read.Key))
                {
                    found = key.Entry;
                }

                generation = ReleaseHeader.TryDecode(state.Release.Header.Span, out ReleaseHeader? header) ? header.Generation : 0;
            }

            AnswerRead(read, primary, read.Release, generation, found);
        }));
        if (!isTaken)
        {
            session.Send(new ReadKeyResult(read.Call, ErrorCode.Busy, "The store is busy; try again.", 0, 0, 0, default, 0));
        }
    }

    private void AnswerRead(ReadKey read, ApplicationPrimary primary, ulong release, uint generation, KeyEntry? entry) =>
        session.Send(entry is { } found
            ? new ReadKeyResult(read.Call, ErrorCode.None, string.Empty, primary.Topic, generation, release, found.Digest, (uint)found.Length)
            : new ReadKeyResult(read.Call, ErrorCode.NotFound, string.Create(CultureInfo.InvariantCulture, $"'{read.Application}' has no key '{read.Key}' at release {release}."), primary.Topic, generation, release, default, 0));

    private void OnWait(Wait wait)
    {
        if (Authorize(wait.Application, AccessRole.Node, out Refusal? refusal) is not { } primary)
        {
            Refuse(wait, refusal!);
            return;
        }

        if (_waits.Count == WaitsMax || _waits.ContainsKey(wait.Call))
        {
            Refuse(wait, new Refusal(ErrorCode.Busy, string.Create(CultureInfo.InvariantCulture, $"More than {WaitsMax} waits are under way on this connection. End some first.")));
            return;
        }

        IDisposable? handle = host.FrontierOf(primary.Name)!.Begin(
            wait,
            progress => session.Send(progress),
            result =>
            {
                EndWait(wait.Call);
                session.Send(result);
            },
            out refusal);
        if (refusal is not null)
        {
            Refuse(wait, refusal);
        }
        else if (handle is not null)
        {
            _waits.Add(wait.Call, handle);
        }
    }

    private void Refuse(Wait wait, Refusal refusal) => session.Send(new WaitResult(wait.Call, refusal.Code, refusal.Text, 0, 0, [], []));

    private void EndWait(uint call)
    {
        if (_waits.Remove(call, out IDisposable? wait))
        {
            wait.Dispose();
        }
    }

    private void OnStatus(Status status)
    {
        if (Authorize(status.Application, AccessRole.Node, out Refusal? refusal) is not { } primary)
        {
            session.Send(new StatusResult(status.Call, refusal!.Code, refusal.Text, true, 0, 0, []));
            return;
        }

        StatusRow[][] pages = [.. host.FrontierOf(primary.Name)!.Rows().Chunk(StatusRowsPerFrame)];
        ReleaseState committed = primary.Committed;
        if (pages.Length == 0)
        {
            session.Send(new StatusResult(status.Call, ErrorCode.None, string.Empty, true, committed.Generation, committed.Release, []));
            return;
        }

        for (int i = 0; i < pages.Length; i++)
        {
            var page = new StatusResult(status.Call, ErrorCode.None, string.Empty, i == pages.Length - 1, committed.Generation, committed.Release, pages[i]);
            _pages.Enqueue(link => link.TrySend(page));
        }

        session.Pump();
    }

    private void OnCreateApplication(CreateApplication create)
    {
        if (!host.Tokens.Allows(session.Peer, AccessTokenGrant.All, AccessRole.Admin))
        {
            session.Send(new CallResult(create.Call, ErrorCode.NotAllowed, $"The token {session.Peer.TokenId} is not an administrator's of the cluster. Use the administrator credential the host wrote at its first start."));
            return;
        }

        host.CreateApplication(create.Name, session.Actor, refusal =>
            session.Send(new CallResult(create.Call, refusal?.Code ?? ErrorCode.None, refusal?.Text ?? string.Empty)));
    }
}
