using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
using Ripple.Gms.Calls;

namespace Ripple.Gms.Sessions;

/// <summary>
/// Answers a node's requests for its region's view and for the state vector. A few bytes ask for many, and only the newest answer counts:
/// so requests that wait share one answer, which is made when the connection has room, and when its share of core time has some left.
/// </summary>
/// <param name="share">The connection's share.</param>
/// <param name="view">The view the node is or will be in; null when it is in none.</param>
/// <param name="vector">The newest states of its applications.</param>
/// <param name="wake">Asks for a turn.</param>
internal sealed class RequestedStates(CallBudget.Share share, Func<RegionView?> view, Func<StateVector> vector, Action wake) : IBulkFeed
{
    private bool _isViewAsked;
    private bool _isVectorAsked;

    public void AskForView()
    {
        _isViewAsked = true;
        wake();
    }

    public void AskForVector()
    {
        _isVectorAsked = true;
        wake();
    }

    /// <summary>Called a few times per second: what waited for its share may go on.</summary>
    public void OnTick()
    {
        if (_isViewAsked || _isVectorAsked)
        {
            wake();
        }
    }

    /// <inheritdoc/>
    public bool Pump(ILink link)
    {
        if (_isVectorAsked && share.HasOwn())
        {
            StateVector states = vector();
            if (!link.TrySend(states))
            {
                return false;
            }

            _isVectorAsked = false;
            share.TakeOwn(CallCosts.CallNs + (states.Topics.Count * CallCosts.RowNs));
        }

        if (_isViewAsked && share.HasOwn())
        {
            RegionView? newest = view();
            if (newest is not null && !link.TrySend(new ViewFull(newest)))
            {
                return false;
            }

            _isViewAsked = false;
            share.TakeOwn(CallCosts.CallNs + ((newest?.Members.Length ?? 0) * CallCosts.RowNs));
        }

        return true;
    }
}
