namespace Ripple.Engine.Streams;

/// <summary>
/// Whether a member loses so many packets that the sender must hear of it: more than 1/64 of about 1,024, which is where the sender's pace
/// begins to slow.
/// </summary>
internal struct LossShare
{
    private const ulong PacketsPerLook = 1_024;
    private const int LostMax = (int)(PacketsPerLook / 64);
    private ulong _received;
    private int _lost;
    private bool _wereMany;

    /// <summary>True while more is lost: in the packets looked at last, or already in those since.</summary>
    public readonly bool AreMany => _wereMany || _lost > LostMax;

    /// <summary>Packets were missed that were not missed before.</summary>
    public void OnLost(int packets) => _lost += packets;

    /// <summary>The contiguous packets grew.</summary>
    public void OnReceived(ulong packets)
    {
        _received += packets;
        if (_received >= PacketsPerLook)
        {
            _wereMany = (ulong)_lost * 64 > _received;
            _received = 0;
            _lost = 0;
        }
    }
}
