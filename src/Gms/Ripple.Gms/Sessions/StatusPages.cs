using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Gms.Calls;

namespace Ripple.Gms.Sessions;

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
