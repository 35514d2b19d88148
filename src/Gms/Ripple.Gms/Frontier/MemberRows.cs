using Ripple.Engine.Frontier;

namespace Ripple.Gms.Frontier;

/// <summary>
/// One joined node's rows in the frontiers of its applications. Held per node, so that evidence finds its row without a lookup by
/// incarnation; an interest has few topics. Core thread.
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

    /// <summary>Records the node's levels for an application, reported directly or through the ring.</summary>
    public void OnLevels(LevelRow levels, bool isDirect)
    {
        if (TryFind(levels.Topic, out int i) && _of[i].OnLevels(_rows[i], levels, isDirect))
        {
            _frontiers.OnChanged(levels.Topic);
        }
    }

    /// <summary>Records that the node rejected a release.</summary>
    public void OnRejection(RejectionRow rejection)
    {
        if (TryFind(rejection.Topic, out int i) && _of[i].OnRejection(_rows[i], rejection))
        {
            _frontiers.OnChanged(rejection.Topic);
        }
    }

    /// <summary>Records that the node did not take the ring's token.</summary>
    public void OnSilent()
    {
        for (int i = 0; i < _of.Length; i++)
        {
            _of[i].OnSilent(_rows[i]);
        }
    }

    /// <summary>Records that the node is no longer a member.</summary>
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
