namespace Ripple.Engine.Releases;

/// <summary>
/// Messages above the newest verified release, by release number: usually one per number, up to four when some are forged. Bounded in
/// numbers, messages per number, and bytes. Core thread.
/// </summary>
internal sealed class PendingReleases
{
    /// <summary>How far above the newest verified release messages are held.</summary>
    public const int WindowReleases = 256;

    private const int ClaimantsMax = 4;
    private const long BytesMax = 8 * 1_024 * 1_024;

    private readonly SortedDictionary<ulong, List<ReleaseMessage>> _rivals = [];
    private ReleaseMessage?[] _first = [];
    private ulong _head;
    private long _bytes;

    /// <summary>How many release numbers have a message.</summary>
    public int Count { get; private set; }

    /// <summary>True when some number has more than one message.</summary>
    public bool HasRivals => _rivals.Count > 0;

    /// <summary>The message that was held first for a number; null for none.</summary>
    public ReleaseMessage? First(ulong release) => Count > 0 && IsInside(release) ? _first[IndexOf(release)] : null;

    /// <summary>The messages that were held later for the same number.</summary>
    public IReadOnlyList<ReleaseMessage> Rivals(ulong release) =>
        _rivals.TryGetValue(release, out List<ReleaseMessage>? rivals) ? rivals : [];

    /// <summary>
    /// Holds a message. False when there is no room, or its number is outside the window. The same id may arrive with and without a
    /// signature (from stream and catch-up): the signed message is kept.
    /// </summary>
    /// <param name="message">The message.</param>
    /// <param name="isReplaced">Whether it replaced an unsigned message with the same id.</param>
    public bool TryAdd(ReleaseMessage message, out bool isReplaced)
    {
        ulong release = message.Header.Release;
        isReplaced = false;
        if (!IsInside(release))
        {
            return false;
        }

        if (FindSame(message) is { } same)
        {
            if (same.Signature is not null || message.Signature is null)
            {
                return true;
            }

            Remove(same);
            isReplaced = true;
        }

        int claimants = First(release) is null ? 0 : 1 + Rivals(release).Count;
        if (claimants == ClaimantsMax || _bytes + message.HeldBytes > BytesMax)
        {
            return false;
        }

        _bytes += message.HeldBytes;
        if (claimants > 0)
        {
            if (!_rivals.TryGetValue(release, out List<ReleaseMessage>? rivals))
            {
                _rivals[release] = rivals = [];
            }

            rivals.Add(message);
            return true;
        }

        _first = _first.Length == 0 ? new ReleaseMessage?[WindowReleases] : _first;
        _first[IndexOf(release)] = message;
        Count++;
        return true;
    }

    public void Remove(ReleaseMessage message)
    {
        ulong release = message.Header.Release;
        _rivals.TryGetValue(release, out List<ReleaseMessage>? rivals);
        if (ReferenceEquals(First(release), message))
        {
            _first[IndexOf(release)] = rivals?[0];
            rivals?.RemoveAt(0);
            Count -= _first[IndexOf(release)] is null ? 1 : 0;
        }
        else if (rivals?.Remove(message) != true)
        {
            return;
        }

        _bytes -= message.HeldBytes;
        if (rivals?.Count == 0)
        {
            _rivals.Remove(release);
        }
    }

    /// <summary>Sets the newest verified release: drops messages at or below it, and those that are now too far ahead of it.</summary>
    public void SetHead(ulong head)
    {
        bool isNear = head >= _head && head - _head <= WindowReleases;
        ulong last = isNear ? head : _head + WindowReleases;
        for (ulong release = _head + 1; release <= last && Count > 0; release++)
        {
            if (release <= head || release - head > WindowReleases)
            {
                Drop(release);
            }
        }

        _head = head;
    }

    public void Clear()
    {
        for (ulong release = _head + 1; Count > 0; release++)
        {
            Drop(release);
        }
    }

    private static int IndexOf(ulong release) => (int)(release % WindowReleases);

    private bool IsInside(ulong release) => release > _head && release - _head <= WindowReleases;

    private ReleaseMessage? FindSame(ReleaseMessage message)
    {
        ReleaseMessage? first = First(message.Header.Release);
        if (first is null || ReferenceEquals(first, message) || first.Header.Id == message.Header.Id)
        {
            return first;
        }

        foreach (ReleaseMessage rival in Rivals(message.Header.Release))
        {
            if (rival.Header.Id == message.Header.Id)
            {
                return rival;
            }
        }

        return null;
    }

    private void Drop(ulong release)
    {
        while (First(release) is { } message)
        {
            Remove(message);
        }
    }
}
