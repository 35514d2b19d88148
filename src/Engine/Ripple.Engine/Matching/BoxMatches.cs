namespace Ripple.Engine.Matching;

/// <summary>
/// The boxes that an event is in. A caller keeps it for the next event: it grows with the index it is used with and allocates nothing
/// after that. For one thread at a time.
/// </summary>
internal sealed class BoxMatches
{
    private int[] _indexes = [];
    private int _count;

    /// <summary>
    /// The places of the boxes, in no order, good until the next event or change; <see cref="BoxIndex.IdOf"/> gives what is good beyond.
    /// </summary>
    public ReadOnlySpan<int> Indexes => _indexes.AsSpan(0, _count);

    /// <summary>Forgets what it has, and gives room for so many, doubling what there is up to the most.</summary>
    internal Span<int> Clear(int room, int roomMax)
    {
        _count = 0;
        if (_indexes.Length < room)
        {
            _indexes = new int[(int)Math.Min(Math.Max(room, 2L * _indexes.Length), roomMax)];
        }

        return _indexes;
    }

    /// <summary>So many have been written.</summary>
    internal void Set(int count) => _count = count;
}
