using Ripple.Engine.Core;

namespace Ripple.Transports.Links;

/// <summary>A call on the core thread. Created once by its owner, and posted again only after it has run.</summary>
internal sealed class CoreCall(Action call) : Request
{
    protected internal override void Execute() => call();
}
