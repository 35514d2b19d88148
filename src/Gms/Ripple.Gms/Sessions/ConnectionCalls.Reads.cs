using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Ripple.Gms.Calls;

namespace Ripple.Gms.Sessions;

/// <content>Calls that read: history, keys, status.</content>
internal sealed partial class ConnectionCalls
{
    private void OnHistory(History history)
    {
        long costNs = CallCosts.CallNs + (Math.Min((int)history.Count, ReadCalls.HistoryMax) * CallCosts.HeaderNs);
        if (_share.TryRead(costNs, out Refusal? busy) is not { } place)
        {
            _connection.Send(new HistoryResult(history.Call, busy!.Code, busy.Text, []));
            return;
        }

        _host.Reading.History(Caller, history.Application, history.Before, history.Count, answer => AnswerRead(
            place,
            answer.Refusal is { } refusal
                ? new HistoryResult(history.Call, refusal.Code, refusal.Text, [])
                : new HistoryResult(history.Call, ErrorCode.None, string.Empty, HistoryPage.Of(answer.Value!))));
    }

    private void OnReadKey(ReadKey read)
    {
        if (_share.TryRead(CallCosts.CallNs, out Refusal? busy) is not { } place)
        {
            _connection.Send(new ReadKeyResult(read.Call, busy!.Code, busy.Text, 0, 0, 0, default, 0));
            return;
        }

        bool isAsking = true;
        _host.Reading.Key(Caller, read.Application, read.Key, read.Release == 0 ? null : read.Release, answer =>
        {
            ReadKeyResult result = answer.Refusal is { } refusal
                ? new ReadKeyResult(read.Call, refusal.Code, refusal.Text, 0, 0, 0, default, 0)
                : Found(read.Call, answer.Value.State, answer.Value.Entry);
            if (isAsking)
            {
                // From memory, and short: many may be asked for at once.
                place.Dispose();
                _connection.Send(result);
            }
            else
            {
                AnswerRead(place, result);
            }
        });
        isAsking = false;
    }

    private void OnStatus(Status status)
    {
        long costNs = CallCosts.CallNs + (_host.Reading.RowCount(status.Application) * CallCosts.RowNs);
        if ((_status is null ? _share.TryTake(costNs) : _share.OnBusy(StatusUnderWay)) is { } refusal)
        {
            _connection.Send(new StatusResult(status.Call, refusal.Code, refusal.Text, true, 0, 0, []));
            return;
        }

        _status = new StatusPages(_host.Reading, Caller, status);
        _connection.Pump();
    }

    /// <summary>Sends the answer of a read when the connection has room; it keeps its place until then.</summary>
    private void AnswerRead<T>(IDisposable place, T answer)
        where T : class, IMessage<T>
    {
        if (_isClosed)
        {
            place.Dispose();
            return;
        }

        _answers.Enqueue((link => link.TrySend(answer), place));
        _connection.Pump();
    }

    private static ReadKeyResult Found(uint call, HistoricalState state, KeyEntry entry) =>
        new(call, ErrorCode.None, string.Empty, state.Topic, state.Generation, state.Release, entry.Digest, (uint)entry.Length);
}

/// <summary>
/// Encodes headers as the answer to a history call: as many of the newest as fit one frame; the rest follows with the next page request.
/// Pure.
/// </summary>
internal static class HistoryPage
{
    /// <summary>An entry without its note and keys: numbers, id, actor, lengths.</summary>
    private const int EntryBytes = 128;

    /// <summary>
    /// A page ends while its last entry still fits the frame: a note of 1,024 characters, its keys, and the entry itself.
    /// </summary>
    private const int PageBytesMax = WireLimits.ControlBytesMax - 8_192;

    /// <summary>The most UTF-8 bytes per UTF-16 character.</summary>
    private const int CharBytesMax = 3;

    public static IReadOnlyList<HistoryEntry> Of(IReadOnlyList<ReleaseHeader> headers)
    {
        var entries = new List<HistoryEntry>();
        int bytes = 0;
        foreach (ReleaseHeader header in headers)
        {
            if (bytes >= PageBytesMax)
            {
                break;
            }

            HistoryEntry entry = HistoryEntry.Of(header);
            bytes += EntryBytes + (CharBytesMax * (entry.Note.Length + entry.Keys.Length));
            entries.Add(entry);
        }

        return entries;
    }
}

/// <summary>
/// The answer of one status call. A page is made when the connection has room for it, from the rows of that moment, so that an answer in
/// progress holds no rows. Core thread.
/// </summary>
internal sealed class StatusPages(ReadCalls reading, Caller caller, Status call)
{
    /// <summary>Rows per frame: they fit even with the longest names and reasons.</summary>
    private const int RowsMax = 100;

    private NodeId _lastNode;
    private ulong _lastIncarnation;
    private bool _isBegun;

    /// <summary>True once the last page was sent.</summary>
    public bool IsLast { get; private set; }

    /// <summary>Sends the next page; false if the connection has no room for it.</summary>
    public bool TrySendNext(ILink link)
    {
        StatusResult page = Next();
        if (!link.TrySend(page))
        {
            return false;
        }

        IsLast = page.IsLast;
        if (page.Rows.Count > 0)
        {
            _isBegun = true;
            (_lastNode, _lastIncarnation) = (page.Rows[^1].Node, page.Rows[^1].Incarnation);
        }

        return true;
    }

    private StatusResult Next()
    {
        (NodeId, ulong)? after = _isBegun ? (_lastNode, _lastIncarnation) : null;
        Answer<(ReleaseState Newest, IReadOnlyList<StatusRow> Rows, bool IsLast)> answer = reading.StatusPage(
            caller, call.Application, after, RowsMax);
        return answer.Refusal is { } refusal
            ? new StatusResult(call.Call, refusal.Code, refusal.Text, true, 0, 0, [])
            : new StatusResult(
                call.Call,
                ErrorCode.None,
                string.Empty,
                answer.Value.IsLast,
                answer.Value.Newest.Generation,
                answer.Value.Newest.Release,
                answer.Value.Rows);
    }
}
