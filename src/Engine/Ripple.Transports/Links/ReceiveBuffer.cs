using System.Buffers;
using System.Numerics;

namespace Ripple.Transports.Links;

/// <summary>A rented buffer for incoming bytes, with its share of the budget. Returned by its last holder.</summary>
internal sealed class ReceiveBuffer
{
    private readonly LinkBudget? _budget;
    private readonly LinkBudget? _share;
    private byte[]? _bytes;

    /// <summary>Makes a buffer outside the budget.</summary>
    public ReceiveBuffer(int bytes)
        : this(bytes, null, null)
    {
    }

    private ReceiveBuffer(int bytes, LinkBudget? budget, LinkBudget? share)
    {
        _bytes = ArrayPool<byte>.Shared.Rent(bytes);
        _budget = budget;
        _share = share;
    }

    public byte[] Bytes => _bytes!;

    /// <summary>Makes a buffer once the share, and then the budget, has room for it.</summary>
    /// <exception cref="OperationCanceledException">Cancelled before there was room.</exception>
    public static async ValueTask<ReceiveBuffer> RentAsync(
        int bytes, LinkBudget? budget, LinkBudget? share, CancellationToken cancellationToken)
    {
        // The length that the pool hands out.
        int rounded = (int)BitOperations.RoundUpToPowerOf2((uint)bytes);
        if (share is not null)
        {
            await share.TakeAsync(rounded, cancellationToken).ConfigureAwait(false);
        }

        if (budget is not null)
        {
            try
            {
                await budget.TakeAsync(rounded, cancellationToken).ConfigureAwait(false);
            }
            catch
            {
                share?.Return(rounded);
                throw;
            }
        }

        return new ReceiveBuffer(rounded, budget, share);
    }

    /// <summary>Returns the memory; may be called repeatedly.</summary>
    public void Return()
    {
        if (_bytes is { } bytes)
        {
            _bytes = null;
            _budget?.Return(bytes.Length);
            _share?.Return(bytes.Length);
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }
}
