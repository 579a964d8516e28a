// A provider that answers by rule, so that no model is asked.
const answers = {
  'How long can a parcel be returned?': 'A parcel can be returned within 30 days of delivery.',
  'When is the desk open?': 'The desk is open from 9 to 17 hours.',
};
module.exports = class {
  id() {
    return 'desk';
  }
  async callApi(prompt) {
    // Asked as a grader it lets everything pass.
    return { output: answers[prompt] ?? JSON.stringify({ pass: true, score: 1, category: 'A', reason: 'a rule' }) };
  }
};
