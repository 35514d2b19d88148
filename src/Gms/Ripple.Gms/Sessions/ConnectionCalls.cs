using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Wire;
using Ripple.Gms.Calls;
using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Waits;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;
using Monitor = Ripple.Engine.Protocol.Calls.Monitor;

namespace Ripple.Gms.Sessions;

/// <summary>
/// The host's calls as frames of one control connection: decodes, asks <see cref="CallService"/>, encodes. Bounds what is in progress, by
/// kind; long answers are pulled when the connection has room. Core thread.
/// </summary>
internal sealed partial class ConnectionCalls : IBulkFeed
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

    private static readonly Refusal StatusUnderWay = new(
        ErrorCode.Busy, "A status is being sent on this connection. Ask again when its last page has come.");

    private static readonly Refusal UploadTooSlow = new(
        ErrorCode.Busy, "The values of the publish did not come in the time they may take. Try again with the same publish id.");

    private readonly CoreLoop _core;
    private readonly CallService _host;
    private readonly NodeConnection _connection;
    private readonly AccessTokenTable _tokens;
    private readonly SortedDictionary<uint, PublishUpload> _uploads = [];
    private readonly SortedDictionary<uint, (Wait Wait, IDisposable Handle)> _waits = [];
    private readonly Queue<(Func<ILink, bool> TrySend, IDisposable Place)> _answers = [];
    private readonly CallBudget.Share _share;
    private StatusPages? _status;
    private readonly WaitShare _waitShare = new();
    private readonly ConnectionMonitors _monitors;
    private long _headBytes;
    private bool _isClosed;

    public ConnectionCalls(SessionServices services, NodeConnection connection)
    {
        _core = services.Context.Core;
        _host = services.Calls;
        _connection = connection;
        _tokens = services.Tokens;
        _share = services.Calls.Budget.Open(services.Tokens.OwnerOf(connection.Peer.TokenId), connection.Node.ToString());
        _monitors = new ConnectionMonitors(_host, connection, _share, _waitShare, WaitsMax);
    }

    public static void AddMemory(MemoryBudget budget, CallLimits limits)
    {
        budget.Add(MemoryScope.Application, MemoryKind.Transient, "sessions: waits", FrontierWaits.WaitsMax, WaitBytes);
        budget.Add(
            MemoryScope.Process, MemoryKind.Transient, "sessions: answers of reads", limits.ReadsMax, WireLimits.ControlBytesMax);
    }

    /// <summary>The caller by its token as the core knows it now: a new token may become known after the connection.</summary>
    public Caller Caller
    {
        get
        {
            string tokenId = _connection.Peer.TokenId;
            return new Caller(tokenId, ActorText.Of(tokenId, _tokens.Find(tokenId), _connection.Node));
        }
    }

    /// <summary>Answers that the connection has not taken yet: those of reads, and a status.</summary>
    public int AnswersWaiting => _answers.Count + (_status is null ? 0 : 1);

    /// <summary>This connection's share in what callers may ask for.</summary>
    public CallBudget.Share Share => _share;

    /// <summary>False if the frame is malformed or unknown.</summary>
    public bool TryTake(MessageType type, ReadOnlySpan<byte> body) => type switch
    {
        MessageType.PublishBegin => Take<PublishBegin>(body, OnPublishBegin),
        MessageType.PublishPart => Take<PublishPart>(body, OnPublishPart),
        MessageType.Rollback => Take<Rollback>(body, OnRollback),
        MessageType.History => Take<History>(body, OnHistory),
        MessageType.ReadKey => Take<ReadKey>(body, OnReadKey),
        MessageType.Wait => Take<Wait>(body, OnWait),
        MessageType.WaitCancel => Take<WaitCancel>(body, c => Cancel(c.Call)),
        MessageType.Monitor => Take<Monitor>(body, m => _monitors.Begin(Caller, m, _waits.Count)),
        MessageType.LevelReport => Take<LevelReport>(body, _connection.OnLevelReport),
        MessageType.Status => Take<Status>(body, OnStatus),
        MessageType.CreateApplication => Take<CreateApplication>(body, OnCreateApplication),
        _ => false,
    };

    /// <inheritdoc/>
    public bool Pump(ILink link)
    {
        while (_answers.TryPeek(out (Func<ILink, bool> TrySend, IDisposable Place) answer))
        {
            if (!answer.TrySend(link))
            {
                return false;
            }

            answer.Place.Dispose();
            _answers.Dequeue();
        }

        if (!_monitors.TrySend(link))
        {
            return false;
        }

        while (_status is { } status)
        {
            if (!status.TrySendNext(link))
            {
                return false;
            }

            _status = status.IsLast ? null : status;
        }

        return true;
    }

    /// <summary>Called a few times per second: ends uploads that did not come in time.</summary>
    public void OnTick()
    {
        if (_uploads.Count == 0)
        {
            return;
        }

        foreach (PublishUpload upload in _uploads.Values.Where(u => !u.IsComplete && u.DueNs < _core.NowNs).ToArray())
        {
            Forget(upload);
            upload.Drop();
            Refuse(upload.Call, UploadTooSlow);
        }
    }

    /// <summary>Called when the connection is gone: complete uploads continue without it, all else is dropped.</summary>
    public void OnClosed()
    {
        _isClosed = true;
        foreach ((_, IDisposable place) in _answers)
        {
            place.Dispose();
        }

        _answers.Clear();
        _status = null;
        _share.Dispose();
        foreach (PublishUpload upload in _uploads.Values)
        {
            upload.Drop();
        }

        _uploads.Clear();
        _headBytes = 0;
        foreach ((_, IDisposable handle) in _waits.Values)
        {
            handle.Dispose();
        }

        _waits.Clear();
        _monitors.Close();
    }

    /// <summary>Ends the waits and monitors on applications that the token no longer grants, each with that answer.</summary>
    public void EndUnentitledWaits()
    {
        foreach ((Wait wait, _) in _waits.Values.ToArray())
        {
            if (_host.RefuseWait(Caller, wait) is { } refusal)
            {
                EndWait(wait.Call);
                Refuse(wait, refusal);
            }
        }

        _monitors.EndUnentitled(Caller);
    }

    /// <summary>Decodes and handles a message; false if it is malformed.</summary>
    internal static bool Take<T>(ReadOnlySpan<byte> body, Action<T> handle)
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
            Caller, begin.Application, PublishUpload.ValueBytes(begin), headBytes, out Refusal? refusal);
        if (lease is null)
        {
            Refuse(begin.Call, OnRefused(refusal!));
            return;
        }

        if (_uploads.Count == UploadsMax || _headBytes + headBytes > HeadBytesMax || _uploads.ContainsKey(begin.Call))
        {
            lease.Dispose();
            Refuse(
                begin.Call,
                _share.OnBusy(new Refusal(ErrorCode.Busy, "Too many publishes are under way. Try again with the same publish id.")));
            return;
        }

        var upload = new PublishUpload(begin, lease, _core.NowNs);
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
            _host.Publishing.Publish(Caller, upload.ToInput(), upload.Lease, () => Forget(upload), answer => Answer(upload.Call, answer));
        }
    }

    private void Forget(PublishUpload upload)
    {
        if (_uploads.Remove(upload.Call))
        {
            _headBytes -= upload.OwnHeadBytes;
        }
    }

    private void OnRollback(Rollback rollback)
    {
        if (_share.TryRead(CallCosts.RollbackNs, out Refusal? refusal) is not { } place)
        {
            Refuse(rollback.Call, refusal!);
            return;
        }

        _host.Publishing.Rollback(Caller, rollback, null, answer =>
        {
            place.Dispose();
            Answer(rollback.Call, answer);
        });
    }

    private void OnWait(Wait wait)
    {
        if (_waits.Count + _monitors.Count >= WaitsMax || _waits.ContainsKey(wait.Call) || _monitors.Contains(wait.Call))
        {
            string text = string.Create(
                CultureInfo.InvariantCulture, $"More than {WaitsMax} waits are under way on this connection. End some first.");
            Refuse(wait, _share.OnBusy(new Refusal(ErrorCode.Busy, text)));
            return;
        }

        wait = _host.WithPredicate(wait);
        if (_share.TryTake(CallCosts.Of(wait, _host.Reading.RowCount(wait.Application))) is { } tooOften)
        {
            Refuse(wait, tooOften);
            return;
        }

        IDisposable? handle = _host.Wait(
            Caller,
            _waitShare,
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
            Refuse(wait, OnRefused(refusal));
        }
        else if (handle is not null)
        {
            _waits.Add(wait.Call, (wait, handle));
        }
    }

    private void Refuse(Wait wait, Refusal refusal) =>
        _connection.Send(WaitAnswers.Refused(wait.Call, refusal));

    private void Cancel(uint call)
    {
        EndWait(call);
        _monitors.End(call);
    }

    private void EndWait(uint call)
    {
        if (_waits.Remove(call, out (Wait Wait, IDisposable Handle) wait))
        {
            wait.Handle.Dispose();
        }
    }

    private void OnCreateApplication(CreateApplication create)
    {
        if (_share.TryTake(CallCosts.CreateNs) is { } tooOften)
        {
            Answer(tooOften);
            return;
        }

        _host.Create(Caller, create.Name, Answer);

        void Answer(Refusal? refusal) =>
            _connection.Send(new CallResult(create.Call, refusal?.Code ?? ErrorCode.None, refusal?.Text ?? string.Empty));
    }

    /// <summary>What is refused as too much is counted and told; the rest is the caller's own business.</summary>
    private Refusal OnRefused(Refusal refusal) => refusal.Code == ErrorCode.Busy ? _share.OnBusy(refusal) : refusal;
}
