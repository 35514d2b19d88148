using Ripple.Engine.Frontier;

namespace Ripple.Gms.Frontier;

/// <summary>
/// One joined node's rows in the frontiers of its applications, held by the node itself: evidence finds its row without a look-up by
/// incarnation, and an interest has few topics. Core thread.
/// </summary>
internal sealed class MemberRows
{
    private readonly FrontierSet _frontiers;
    private readonly PrimaryFrontier[] _of;
    private readonly FrontierRow?[] _rows;

    public MemberRows(FrontierSet frontiers, MemberRecord record, IEnumerable<PrimaryFrontier> interest)
    {
        _frontiers = frontiers;
        _of = [.. interest];
        _rows = [.. _of.Select(f => f.OnJoined(record))];
    }

    /// <summary>What the node has of an application, as it said itself or by the ring.</summary>
    public void OnLevels(LevelRow levels, bool isDirect)
    {
        if (TryFind(levels.Topic, out int i) && _of[i].OnLevels(ref _rows[i], levels, isDirect))
        {
            _frontiers.OnChanged(levels.Topic);
        }
    }

    /// <summary>The node rejected a release.</summary>
    public void OnRejection(RejectionRow rejection)
    {
        if (TryFind(rejection.Topic, out int i) && _of[i].OnRejection(_rows[i], rejection))
        {
            _frontiers.OnChanged(rejection.Topic);
        }
    }

    /// <summary>The node did not take the ring's token.</summary>
    public void OnSilent()
    {
        for (int i = 0; i < _of.Length; i++)
        {
            _of[i].OnSilent(_rows[i]);
        }
    }

    /// <summary>The node is no member any more.</summary>
    public void OnRemoved(RemovalCause cause)
    {
        for (int i = 0; i < _of.Length; i++)
        {
            if (_rows[i] is { } row)
            {
                _rows[i] = null;
                _of[i].OnRemoved(row, cause);
            }
        }
    }

    private bool TryFind(uint topic, out int index)
    {
        for (index = 0; index < _of.Length; index++)
        {
            if (_of[index].Topic == topic)
            {
                return true;
            }
        }

        return false;
    }
}
