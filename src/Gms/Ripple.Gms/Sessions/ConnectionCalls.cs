using System.Globalization;
using Ripple.Engine.Frontier.Waits;
using Ripple.Engine.Links;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Ripple.Gms.Calls;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Sessions;

/// <summary>
/// The host's calls as frames of one control connection: decodes, asks <see cref="HostCalls"/>, encodes. Bounds uploads and waits in
/// progress. Core thread.
/// </summary>
internal sealed class ConnectionCalls : IBulkFeed
{
    /// <summary>The most uploads in progress: clients have a few calls per thread, and a connection with more is refused.</summary>
    private const int UploadsMax = 128;

    /// <summary>The most bytes of names and notes of uploads in progress on one connection: sixteen maximum frames.</summary>
    private const int HeadBytesMax = 16 * WireLimits.ControlBytesMax;

    /// <summary>
    /// The most waits on one connection: a sixteenth of an application's limit, so that one connection leaves room for others.
    /// </summary>
    private const int WaitsMax = FrontierWaits.WaitsMax / 16;

    /// <summary>Approximate memory of a wait here, besides the wait itself.</summary>
    private const int WaitBytes = 256;

    /// <summary>Rows per frame of a status answer: they fit even with the longest names and reasons.</summary>
    private const int StatusRowsPerFrame = 100;

    private readonly HostCalls _host;
    private readonly NodeConnection _connection;
    private readonly Caller _caller;
    private readonly SortedDictionary<uint, PublishUpload> _uploads = [];
    private readonly SortedDictionary<uint, IDisposable> _waits = [];
    private readonly Queue<StatusResult> _pages = [];
    private long _headBytes;

    public ConnectionCalls(SessionServices services, NodeConnection connection)
    {
        _host = services.Calls;
        _connection = connection;
        LinkPeer peer = connection.Peer;
        string name = peer.Name.Length > 0 ? peer.Name : connection.Node.ToString();
        _caller = new Caller(peer.TokenId, $"{peer.Role}:{name}");
    }

    public static void AddMemory(MemoryBudget budget) =>
        budget.Add(MemoryScope.Application, MemoryKind.Transient, "sessions: waits", FrontierWaits.WaitsMax, WaitBytes);

    /// <summary>Pages of answers that the connection has not taken yet.</summary>
    public int PagesWaiting => _pages.Count;

    /// <summary>False if the frame is malformed or unknown.</summary>
    public bool TryTake(MessageType type, ReadOnlySpan<byte> body) => type switch
    {
        MessageType.PublishBegin => Take<PublishBegin>(body, OnPublishBegin),
        MessageType.PublishPart => Take<PublishPart>(body, OnPublishPart),
        MessageType.Rollback => Take<Rollback>(body, r => _host.Publishing.Rollback(_caller, r, null, answer => Answer(r.Call, answer))),
        MessageType.History => Take<History>(body, OnHistory),
        MessageType.ReadKey => Take<ReadKey>(body, OnReadKey),
        MessageType.Wait => Take<Wait>(body, OnWait),
        MessageType.WaitCancel => Take<WaitCancel>(body, c => EndWait(c.Call)),
        MessageType.Status => Take<Status>(body, OnStatus),
        MessageType.CreateApplication => Take<CreateApplication>(body, OnCreateApplication),
        _ => false,
    };

    /// <inheritdoc/>
    public bool Pump(ILink link)
    {
        while (_pages.TryPeek(out StatusResult? page))
        {
            if (!link.TrySend(page))
            {
                return false;
            }

            _pages.Dequeue();
        }

        return true;
    }

    /// <summary>Called when the connection is gone: complete uploads continue without it, all else is dropped.</summary>
    public void OnClosed()
    {
        foreach (PublishUpload upload in _uploads.Values)
        {
            upload.Drop();
        }

        _uploads.Clear();
        _headBytes = 0;
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

    private void Answer(uint call, PublishAnswer answer) =>
        _connection.Send(new PublishResult(call, answer.Code, answer.Text, answer.Generation, answer.Release, answer.Id));

    private void Refuse(uint call, Refusal refusal) => _host.Publishing.Refuse(refusal, answer => Answer(call, answer));

    private void OnPublishBegin(PublishBegin begin)
    {
        long headBytes = PublishUpload.HeadBytes(begin);
        UploadBudget.Lease? lease = _host.Publishing.TryBegin(
            _caller, begin.Application, PublishUpload.ValueBytes(begin), headBytes, out Refusal? refusal);
        if (lease is null)
        {
            Refuse(begin.Call, refusal!);
            return;
        }

        if (_uploads.Count == UploadsMax || _headBytes + headBytes > HeadBytesMax || _uploads.ContainsKey(begin.Call))
        {
            lease.Dispose();
            Refuse(begin.Call, new Refusal(ErrorCode.Busy, "Too many publishes are under way. Try again with the same publish id."));
            return;
        }

        var upload = new PublishUpload(begin, lease);
        _uploads.Add(begin.Call, upload);
        _headBytes += headBytes;
        PublishIfComplete(upload);
    }

    private void OnPublishPart(PublishPart part)
    {
        if (!_uploads.TryGetValue(part.Call, out PublishUpload? upload) || upload.IsComplete)
        {
            // The publish was refused at its beginning; its parts were already on the way.
            return;
        }

        if (!upload.TryAdd(part.Bytes.Span))
        {
            Forget(upload);
            upload.Drop();
            Refuse(
                part.Call,
                new Refusal(
                    ErrorCode.InvalidRequest, "More bytes came than the publish announced. This is a fault of the client library."));
            return;
        }

        PublishIfComplete(upload);
    }

    private void PublishIfComplete(PublishUpload upload)
    {
        if (upload.IsComplete)
        {
            _host.Publishing.Publish(_caller, upload.ToInput(), upload.Lease, () => Forget(upload), answer => Answer(upload.Call, answer));
        }
    }

    private void Forget(PublishUpload upload)
    {
        if (_uploads.Remove(upload.Call))
        {
            _headBytes -= upload.OwnHeadBytes;
        }
    }

    private void OnHistory(History history) =>
        _host.Reading.History(_caller, history.Application, history.Before, history.Count, answer => _connection.Send(
            answer.Refusal is { } refusal
                ? new HistoryResult(history.Call, refusal.Code, refusal.Text, [])
                : new HistoryResult(history.Call, ErrorCode.None, string.Empty, HistoryPage.Of(answer.Value!))));

    private void OnReadKey(ReadKey read) =>
        _host.Reading.Key(_caller, read.Application, read.Key, read.Release == 0 ? null : read.Release, answer => _connection.Send(
            answer.Refusal is { } refusal
                ? new ReadKeyResult(read.Call, refusal.Code, refusal.Text, 0, 0, 0, default, 0)
                : Found(read.Call, answer.Value.State, answer.Value.Entry)));

    private static ReadKeyResult Found(uint call, HistoricalState state, KeyEntry entry) =>
        new(call, ErrorCode.None, string.Empty, state.Topic, state.Generation, state.Release, entry.Digest, (uint)entry.Length);

    private void OnWait(Wait wait)
    {
        if (_waits.Count == WaitsMax || _waits.ContainsKey(wait.Call))
        {
            string text = string.Create(
                CultureInfo.InvariantCulture, $"More than {WaitsMax} waits are under way on this connection. End some first.");
            Refuse(wait, new Refusal(ErrorCode.Busy, text));
            return;
        }

        IDisposable? handle = _host.Wait(
            _caller,
            wait,
            progress => _connection.Send(progress),
            result =>
            {
                EndWait(wait.Call);
                _connection.Send(result);
            },
            out Refusal? refusal);
        if (refusal is not null)
        {
            Refuse(wait, refusal);
        }
        else if (handle is not null)
        {
            _waits.Add(wait.Call, handle);
        }
    }

    private void Refuse(Wait wait, Refusal refusal) =>
        _connection.Send(new WaitResult(wait.Call, refusal.Code, refusal.Text, 0, 0, [], []));

    private void EndWait(uint call)
    {
        if (_waits.Remove(call, out IDisposable? wait))
        {
            wait.Dispose();
        }
    }

    private void OnStatus(Status status)
    {
        Answer<(ReleaseState Newest, IReadOnlyList<StatusRow> Rows)> answer = _host.Reading.Status(_caller, status.Application);
        if (answer.Refusal is { } refusal)
        {
            _connection.Send(new StatusResult(status.Call, refusal.Code, refusal.Text, true, 0, 0, []));
            return;
        }

        ReleaseState newest = answer.Value.Newest;
        StatusRow[][] pages = [.. answer.Value.Rows.Chunk(StatusRowsPerFrame)];
        if (pages.Length == 0)
        {
            _connection.Send(Page([], isLast: true));
            return;
        }

        for (int i = 0; i < pages.Length; i++)
        {
            _pages.Enqueue(Page(pages[i], i == pages.Length - 1));
        }

        _connection.Pump();

        StatusResult Page(StatusRow[] rows, bool isLast) =>
            new(status.Call, ErrorCode.None, string.Empty, isLast, newest.Generation, newest.Release, rows);
    }

    private void OnCreateApplication(CreateApplication create) => _host.Create(_caller, create.Name, refusal =>
        _connection.Send(new CallResult(create.Call, refusal?.Code ?? ErrorCode.None, refusal?.Text ?? string.Empty)));
}
