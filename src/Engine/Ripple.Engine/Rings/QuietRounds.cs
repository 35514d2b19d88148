namespace Ripple.Engine.Rings;

/// <summary>
/// Which rounds are quiet. A round is acknowledged hop by hop at the beginning of a view, after a lost one, and as long as a member is
/// silent: only such rounds find out who is. Where quiet rounds are lost one after the other, more and more acknowledged ones come between.
/// </summary>
internal sealed class QuietRounds(RingOptions options)
{
    /// <summary>As many complete quiet rounds in a row halve what losses brought.</summary>
    private const int CompleteMin = 16;

    private bool _isAllowed;
    private bool _isQuiet;
    private int _acknowledgedLeft;
    private int _afterLoss = 1;
    private int _completeInRow;

    /// <summary>A view begins.</summary>
    /// <param name="isAllowed">Whether all members know of quiet rounds.</param>
    public void Clear(bool isAllowed)
    {
        _isAllowed = isAllowed;
        _isQuiet = false;
        _acknowledgedLeft = 1;
    }

    /// <summary>A round begins; true for a quiet one.</summary>
    public bool Begin()
    {
        _isQuiet = _isAllowed && _acknowledgedLeft == 0;
        return _isQuiet;
    }

    /// <summary>A round is finished.</summary>
    /// <param name="isComplete">No member was silent in it.</param>
    public void OnRound(bool isComplete)
    {
        _acknowledgedLeft = isComplete ? Math.Max(0, _acknowledgedLeft - 1) : Math.Max(1, _acknowledgedLeft);
        _completeInRow = _isQuiet ? _completeInRow + 1 : 0;
        if (_completeInRow == CompleteMin)
        {
            _completeInRow = 0;
            _afterLoss = Math.Max(1, _afterLoss / 2);
        }
    }

    /// <summary>A round did not return; true if it was quiet, so that this says nothing of how long rounds take.</summary>
    public bool TryTakeLoss()
    {
        if (!_isQuiet)
        {
            return false;
        }

        _completeInRow = 0;
        _acknowledgedLeft = _afterLoss;
        _afterLoss = Math.Min(options.AcknowledgedRoundsMax, 2 * _afterLoss);
        return true;
    }
}
