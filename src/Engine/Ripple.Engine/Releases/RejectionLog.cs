using System.Text;

namespace Ripple.Engine.Releases;

/// <summary>The releases of the present generation that a node rejected lately, oldest first. Core thread.</summary>
internal sealed class RejectionLog
{
    /// <summary>The most that are kept; the oldest one makes room.</summary>
    public const int CountMax = 64;

    private readonly List<RejectionRow> _rows = [];
    private RejectionRow? _withheld;

    /// <param name="restored">Those of an earlier process, oldest first; null for none.</param>
    public RejectionLog(IEnumerable<RejectionRow>? restored = null) => _rows.AddRange((restored ?? []).TakeLast(CountMax));

    /// <summary>Those that are told to others.</summary>
    public IReadOnlyList<RejectionRow> Rows => _rows;

    /// <summary>Those that are kept on disk.</summary>
    public IEnumerable<RejectionRow> Kept => _withheld is { } row ? _rows.Append(row) : _rows;

    /// <summary>Grows with each change of what is kept.</summary>
    public int Version { get; private set; }

    /// <summary>The newest rejected release; 0 when there is none.</summary>
    public ulong NewestRelease => _rows.Count > 0 ? _rows[^1].Release : 0;

    /// <summary>Adds a rejection, in the place of one of the same release; the oldest one makes room for it.</summary>
    public void Add(uint topic, uint generation, ulong release, string reason)
    {
        Version++;
        _withheld = null;
        _rows.RemoveAll(r => r.Release == release);
        if (_rows.Count == CountMax)
        {
            _rows.RemoveAt(0);
        }

        int place = _rows.FindLastIndex(r => r.Release < release) + 1;
        _rows.Insert(place, new RejectionRow(topic, generation, release, Cut(reason)));
    }

    /// <summary>
    /// Reports the rejection of a release to no one until it has been judged again: its cause may be fixed by then. It stays on disk.
    /// </summary>
    public void Withhold(ulong release)
    {
        _withheld = _rows.Find(r => r.Release == release);
        _rows.RemoveAll(r => r.Release == release);
    }

    /// <summary>The application has this number from now on: before the first join it had none.</summary>
    public void SetTopic(uint topic)
    {
        for (int i = 0; i < _rows.Count; i++)
        {
            _rows[i] = _rows[i] with { Topic = topic };
        }
    }

    /// <summary>Forgets all: another generation begins.</summary>
    public void Clear()
    {
        Version++;
        _withheld = null;
        _rows.Clear();
    }

    private static string Cut(string reason)
    {
        while (Encoding.UTF8.GetByteCount(reason) > RejectionRow.ReasonBytesMax)
        {
            reason = reason[..(reason.Length * 3 / 4)];
        }

        return reason;
    }
}
