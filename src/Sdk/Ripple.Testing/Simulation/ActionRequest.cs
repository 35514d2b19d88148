using Ripple.Engine.Core;

namespace Ripple.Testing.Simulation;

/// <summary>Runs an action on a core.</summary>
internal sealed class ActionRequest(Action action) : Request
{
    protected override void Execute() => action();
}
