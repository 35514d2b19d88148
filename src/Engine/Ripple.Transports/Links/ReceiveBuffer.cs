using System.Buffers;
using System.Numerics;

namespace Ripple.Transports.Links;

/// <summary>A rented buffer for incoming bytes, with its share of the budget. Returned by its last holder.</summary>
internal sealed class ReceiveBuffer
{
    private readonly LinkBudget? _budget;
    private byte[]? _bytes;

    /// <summary>Makes a buffer outside the budget.</summary>
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

    /// <summary>Makes a buffer once the budget has room for it.</summary>
    /// <exception cref="OperationCanceledException">Cancelled before there was room.</exception>
    public static async ValueTask<ReceiveBuffer> RentAsync(int bytes, LinkBudget? budget, CancellationToken cancellationToken)
    {
        // The length that the pool hands out.
        int rounded = (int)BitOperations.RoundUpToPowerOf2((uint)bytes);
        if (budget is not null)
        {
            await budget.TakeAsync(rounded, cancellationToken).ConfigureAwait(false);
        }

        return new ReceiveBuffer(rounded, budget);
    }

    /// <summary>Returns the memory; may be called repeatedly.</summary>
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
