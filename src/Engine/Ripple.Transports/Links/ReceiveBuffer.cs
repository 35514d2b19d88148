using System.Buffers;
using System.Numerics;

namespace Ripple.Transports.Links;

/// <summary>A rented buffer of what comes in, with what it takes of the budget. Returned by whoever has it last.</summary>
internal sealed class ReceiveBuffer
{
    private readonly LinkBudget? _budget;
    private byte[]? _bytes;

    /// <summary>Makes one of a link's own.</summary>
    public ReceiveBuffer(int bytes)
        : this(bytes, null)
    {
    }

    private ReceiveBuffer(int bytes, LinkBudget? budget)
    {
        _bytes = ArrayPool<byte>.Shared.Rent(bytes);
        _budget = budget;
    }

    public byte[] Bytes => _bytes!;

    /// <summary>Makes one once the budget has room for it.</summary>
    /// <exception cref="OperationCanceledException">Cancelled before.</exception>
    public static async ValueTask<ReceiveBuffer> RentAsync(int bytes, LinkBudget? budget, CancellationToken cancellationToken)
    {
        // What the pool gives.
        int rounded = (int)BitOperations.RoundUpToPowerOf2((uint)bytes);
        if (budget is not null)
        {
            await budget.TakeAsync(rounded, cancellationToken).ConfigureAwait(false);
        }

        return new ReceiveBuffer(rounded, budget);
    }

    /// <summary>Gives it back; again is fine.</summary>
    public void Return()
    {
        if (_bytes is { } bytes)
        {
            _bytes = null;
            _budget?.Return(bytes.Length);
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }
}
