namespace Ripple.Engine.Core;

/// <summary>Work that is done at the end of every turn while there is some: a root sink that pulls and sends, a link that drains.</summary>
public interface IAgent
{
    /// <summary>Called on the core thread once a turn. Does a bounded amount; returns how much, 0 when there was nothing to do.</summary>
    int DoWork();
}
