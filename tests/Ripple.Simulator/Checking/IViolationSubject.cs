namespace Ripple.Simulator.Checking;

/// <summary>What a violation can be about: a node, a release, a publish, a wait.</summary>
internal interface IViolationSubject
{
    /// <summary>Adds itself.</summary>
    void AddTo(ViolationSubject subject);
}
