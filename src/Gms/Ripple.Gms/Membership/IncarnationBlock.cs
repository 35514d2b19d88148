using Ripple.Gms.Placement;
using Ripple.Gms.Store;

namespace Ripple.Gms.Membership;

/// <summary>Incarnations reserved in the store before use, so that none is given twice, whatever happens to the host. Core thread.</summary>
public sealed class IncarnationBlock
{
    /// <summary>How many are reserved at a time.</summary>
    public const ulong Size = 4_096;

    private ulong _next;
    private ulong _end;
    private bool _isReserving;

    /// <summary>A block of numbers above <paramref name="used"/> up to <paramref name="reserved"/>, both as persisted.</summary>
    public IncarnationBlock(ulong used, ulong reserved)
    {
        _next = used + 1;
        _end = reserved;
    }

    /// <summary>The next incarnation; null while the store has not reserved more.</summary>
    public ulong? Take() => _next <= _end ? _next++ : null;

    internal void ReserveIfLow(GmsContext context)
    {
        if (_isReserving || _end - _next > Size / 2)
        {
            return;
        }

        ulong end = _end + Size;
        _isReserving = context.Store.Commit(new CommitBatch { IncarnationCounter = end }, context.OnCore<CommitResult>(result =>
        {
            _isReserving = false;
            if (result.IsDone)
            {
                _end = end;
            }
        }));
    }
}
